import { z } from "zod";
import { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import { ActionRequest } from "@/lib/core/change/action-request";
import { ACTIONS } from "@/lib/core/change/actions";
import { ChangeView } from "@/lib/core/change/view/change-view";
import { HandoffPage } from "@/lib/core/handoff/handoff-page";
import { EarlierRuns } from "@/lib/services/record-baseline";
import { EVIDENCE_BYTES, PLAN_BYTES } from "./limits";

const Problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  places: z.array(z.string()).optional(),
});
const Made = z.strictObject({ id: z.string() });
const Published = z.strictObject({ id: z.string(), name: z.string(), version: z.number() });
const Acted = z.strictObject({ version: z.number() });
const Kept = z.strictObject({ sha256: z.string(), verdict: z.string(), because: z.string() });
const Health = z.strictObject({
  status: z.enum(["ok", "no_worker", "no_database"]),
  database: z.enum(["ok", "unreachable"]),
  workers: z.number().optional(),
  now: z.string().optional(),
});
const ClusterAction = z.strictObject({ reason: z.string().min(3).max(2000) });

/** The description of /api/v1, OpenAPI 3.1, made from the schemas that the routes themselves use. */
export function openApi(): object {
  const id = parameter("path", "id", "A change's or cluster's id.", true);
  const job = parameter("path", "id", "An acceptance job's name and version, name@version.", true);
  return {
    openapi: "3.1.0",
    info: {
      title: "Clearance",
      version: "1",
      description: "Every write goes through the same use cases as the console; a refusal carries the same words.",
    },
    servers: [{ url: "/api/v1" }],
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        Change: json(ChangeView),
        Handoff: json(HandoffPage),
        ActionRequest: actionBody(),
        ClusterAction: json(ClusterAction),
        AcceptanceJob: json(AcceptanceJobSpec),
        EarlierRuns: json(EarlierRuns),
        Problem: json(Problem),
        Made: json(Made),
        Published: json(Published),
        Acted: json(Acted),
        Kept: json(Kept),
        Health: json(Health),
      },
    },
    paths: {
      "/changes": {
        get: operation(
          "List changes, newest first",
          [parameter("query", "cluster", "Only of this cluster."), parameter("query", "open", "true: only what has not ended.")],
          "200",
        ),
        post: {
          ...operation("Make a change from a plan", [], "201", "Made"),
          requestBody: text("application/yaml", `The plan, at most ${PLAN_BYTES} bytes.`),
        },
      },
      "/changes/{id}": { get: operation("Everything about one change", [id], "200", "Change") },
      "/changes/{id}/preview": {
        get: operation("Batches, times, findings and conflicts of its plan against the inventory of now", [id], "200"),
      },
      "/changes/{id}/handoff": {
        get: operation(
          "What the next shift reads: plan against actual, next, closed and why, who decides",
          [id, parameter("query", "format", "json (default) or md.")],
          "200",
          "Handoff",
        ),
      },
      "/changes/{id}/audit": { get: operation("Its chain, verified now", [id], "200") },
      "/changes/{id}/actions/{action}": {
        post: {
          ...operation(
            "Do one action",
            [id, { ...parameter("path", "action", "Which.", true), schema: { enum: [...ACTIONS] } }],
            "200",
            "Acted",
          ),
          requestBody: content("ActionRequest"),
        },
      },
      "/changes/{id}/evidence": {
        post: {
          ...operation(
            "Give evidence for a check",
            [
              id,
              parameter("query", "check", "The check's id.", true),
              parameter("query", "parser", "Which parser reads it."),
              parameter("query", "at", "When it was taken, with its zone."),
            ],
            "201",
            "Kept",
          ),
          requestBody: text("application/octet-stream", `The raw output, at most ${EVIDENCE_BYTES} bytes.`),
        },
      },
      "/clusters/{id}/actions/{action}": {
        post: {
          ...operation(
            "stop-all or lift-stop",
            [id, { ...parameter("path", "action", "Which.", true), schema: { enum: ["stop-all", "lift-stop"] } }],
            "200",
          ),
          requestBody: content("ClusterAction"),
        },
      },
      "/acceptance-jobs": {
        get: operation("All published jobs", [], "200"),
        post: {
          ...operation("Publish a version of a job", [], "201", "Published"),
          requestBody: text("application/yaml", `The job, at most ${PLAN_BYTES} bytes.`),
        },
      },
      "/acceptance-jobs/{id}/baselines": {
        get: operation("All baselines of a job, newest first", [job], "200"),
        post: {
          ...operation("Record runs from earlier as a baseline", [job], "201", "Made"),
          requestBody: { description: `At most ${EVIDENCE_BYTES} bytes.`, ...content("EarlierRuns") },
        },
      },
      "/nodes": { get: operation("The inventory", [parameter("query", "cluster", "Only of this cluster.")], "200") },
      "/evidence/{sha}": {
        get: {
          ...operation(
            "Raw evidence by its SHA-256, always as a download",
            [parameter("path", "sha", "64 hexadecimal digits.", true)],
            "200",
          ),
          responses: {
            "200": { description: "The bytes", content: { "application/octet-stream": { schema: { type: "string" } } } },
            default: REFUSED,
          },
        },
      },
      "/health": {
        get: {
          summary: "Whether it works",
          security: [],
          responses: {
            "200": { description: "It works", ...content("Health") },
            "503": { description: "No worker is alive, or no database answers", ...content("Health") },
          },
        },
      },
      "/openapi.json": { get: operation("This description", [], "200") },
    },
  };
}

const json = (schema: z.ZodType): object => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
};
/** The address says which action it is: in the body its name may be left out. */
const actionBody = (): object => ({
  oneOf: ActionRequest.options.map((option) => json(option.extend({ action: option.shape.action.optional() }))),
});
const content = (schema: string): object => ({ content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } } });
const text = (type: string, description: string): object => ({
  required: true,
  description,
  content: { [type]: { schema: { type: "string" } } },
});
const parameter = (where: "path" | "query", name: string, description: string, required = false): object => ({
  in: where,
  name,
  description,
  required,
  schema: { type: "string", maxLength: where === "path" ? 253 : 512 },
});
const REFUSED = {
  description: "Refused, with the reason in words",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

function operation(summary: string, parameters: readonly object[], success: string, schema?: string): object {
  const responses = { [success]: { description: "Done", ...(schema === undefined ? {} : content(schema)) }, default: REFUSED };
  return { summary, parameters, responses };
}
