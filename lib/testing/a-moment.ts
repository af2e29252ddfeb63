/** The fixed present of every builder: one hour into the booked window. */
export const NOW = new Date("2026-12-08T23:00:00.000Z");

/** A moment relative to NOW, in minutes: `at(-5)` is five minutes ago. */
export const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
