import type { Result } from "@/lib/core/kernel/result";
import type { SourceError } from "./source-error";

export type Notice = {
  readonly id: string;
  readonly dedupKey: string;
  readonly urgency: "page" | "message";
  readonly changeId: string | null;
  readonly title: string;
  readonly text: string;
  readonly at: string;
};

/** One channel out. Delivery is at least once; the receiver removes doubles by `dedupKey`. */
export interface Notifier {
  readonly channel: string;
  deliver(notice: Notice): Promise<Result<void, SourceError>>;
}
