import { maintenanceType } from "./maintenance-types";
import type { MaintenanceTypeName, PlanCommand } from "./plan";

const SITE_SCRIPT = "/usr/local/sbin/clearance-update";

/**
 * What a type does when the plan names no commands: it calls the site's own script with type and version, because only the site knows its
 * package manager and its devices; where the script is missing the command fails. null: an image is not installed by a command.
 */
export function builtInUpdate(type: MaintenanceTypeName, version: string | null, timeoutMs: number): PlanCommand | null {
  if (version === null) return null;
  return { name: `built-in ${type}`, on: maintenanceType(type).on, run: `${SITE_SCRIPT} ${type} ${version}`, timeoutMs };
}
