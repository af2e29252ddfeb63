import type { Notice } from "@/lib/ports/notifier";
import type { Store } from "@/lib/ports/store";
import type { PrismaClient } from "@/prisma/generated/client";
import { storedText } from "./stored-text";

type Outbox = Pick<Store, "message" | "delivered" | "notDelivered">;

/** Messages leave at least once; the receiver removes doubles by their key. */
export const outbox = (prisma: PrismaClient): Outbox => ({
  message: async (id) => {
    const found = await prisma.message.findFirst({ where: { id, state: "waiting" } });
    return found && { id: found.id, channel: found.channel, notice: found.body as Notice, attempts: found.attempts };
  },
  delivered: async (id, at) => {
    await prisma.message.updateMany({
      where: { id, state: "waiting" },
      data: { state: "delivered", deliveredAt: at, attempts: { increment: 1 }, lastError: null },
    });
  },
  notDelivered: async (id, because, nextTryAt) => {
    await prisma.message.updateMany({
      where: { id, state: "waiting" },
      data: {
        lastError: storedText(because),
        attempts: { increment: 1 },
        ...(nextTryAt === null ? { state: "gave_up" as const } : { nextTryAt }),
      },
    });
  },
});
