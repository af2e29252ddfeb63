/** Why a source gave nothing that may be used. Never swallowed: it becomes `source_unreachable` with its age. */
export type SourceError = {
  readonly code:
    | "unreachable"
    | "timed_out"
    | "denied"
    | "unreadable"
    | "partial"
    | "unsupported_version"
    | "refused"
    | "in_use"
    | "not_found"
    | "invalid_state";
  /** One sentence that names the thing and what to do next; holds no secret. */
  readonly because: string;
};
