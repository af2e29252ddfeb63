const SHOWN = 200;

/** A text of somebody else's inside a sentence: its beginning. The whole of it is in the facts and the evidence beside the sentence. */
export const quoted = (text: string | null): string => {
  const whole = text ?? "";
  return `"${whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole}"`;
};
