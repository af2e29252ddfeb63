/** Reasons and names come from elsewhere; nothing in them may steer a terminal. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "?");

/** The same for several lines: their ends stay. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");
