/**
 * Folder name for a command key, one to one: "/" becomes "+", anything but letters, digits, "-", "_" and inner "." becomes %hh. Null when the key is
 * empty or the name would be longer than a file name may be.
 */
export function keyFolder(key: string): string | null {
  const name = [...Buffer.from(key, "utf8")].map((byte, index) => encodeByte(byte, index)).join("");
  return name === "" || name.length > 255 ? null : name;
}

function encodeByte(byte: number, index: number): string {
  const char = String.fromCharCode(byte);
  if (char === "/") return "+";
  if (/[A-Za-z0-9_-]/.test(char) || (char === "." && index > 0)) return char;
  return `%${byte.toString(16).padStart(2, "0")}`;
}
