import type { Deps } from "./deps";

const TRIES = 12;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 30 * 60_000;

/** One try to deliver one row of the outbox; a failure is kept with the row and tried again later, more and more rarely. */
export async function deliver(
  deps: Pick<Deps, "store" | "clock" | "log" | "notifiers">,
  { messageId }: { readonly messageId: string },
): Promise<void> {
  const message = await deps.store.message(messageId);
  if (message === null) return;
  const now = await deps.clock.now();
  const notifier = deps.notifiers.find((known) => known.channel === message.channel);
  if (notifier === undefined) {
    await deps.store.notDelivered(messageId, `no channel "${message.channel}" is configured`, null);
    return;
  }
  const sent = await notifier.deliver(message.notice);
  if (sent.ok) {
    await deps.store.delivered(messageId, now);
    return;
  }
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** message.attempts);
  const next = message.attempts + 1 >= TRIES ? null : new Date(now.getTime() + pauseMs);
  deps.log.warn({ messageId, channel: message.channel, attempts: message.attempts + 1, because: sent.error.because }, "not delivered");
  await deps.store.notDelivered(messageId, sent.error.because, next);
}
