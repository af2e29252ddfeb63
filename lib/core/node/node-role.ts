export const NODE_ROLES = ["compute", "login", "scheduler", "storage", "subnet_manager", "clearance"] as const;
export type NodeRole = (typeof NODE_ROLES)[number];
