import { sendRequest } from "@/lib/adapters/http/send-request";
import { err, ok } from "@/lib/core/kernel/result";
import type { Notifier } from "@/lib/ports/notifier";

type WebhookOptions = {
  /** Asked at each delivery. The address itself may be a secret: errors name its host only. */
  readonly url: () => string;
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** One JSON POST per notice. Delivered means a 2xx answer; the receiver removes doubles by `dedupKey`. */
export function webhookNotifier(options: WebhookOptions): Notifier {
  return {
    channel: "webhook",
    async deliver(notice) {
      const url = options.url();
      const called = `POST to the webhook at ${URL.canParse(url) ? new URL(url).host : "an address that cannot be read"}`;
      const answer = await sendRequest({
        url,
        method: "POST",
        headers: { "content-type": "application/json", ...options.headers?.() },
        body: JSON.stringify(notice),
        timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        called,
      });
      if (!answer.ok) return answer;
      const { status } = answer.value;
      if (status >= 200 && status < 300) return ok(undefined);
      const code = status === 401 || status === 403 ? "denied" : status >= 500 || status === 429 ? "unreachable" : "refused";
      return err({ code, because: `${called} was answered with HTTP ${status}; the notice ${notice.id} was not taken.` });
    },
  };
}
