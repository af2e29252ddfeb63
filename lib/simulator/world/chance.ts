/** Numbers that look random and repeat exactly: the same text always gives the same ones. */

/** FNV-1a, 32 bits. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** A UUID of version 4's shape, like `/proc/sys/kernel/random/boot_id`. */
export function uuidFrom(text: string): string {
  const hex = [0, 1, 2, 3].map((i) => hash32(`${i}:${text}:${i}`).toString(16).padStart(8, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
