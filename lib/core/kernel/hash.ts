import type { Sha256 } from "./ids";

/** SHA-256 of UTF-8 text as 64 lower-case hex digits. The core only names it; the shell passes the implementation in. */
export type HashText = (text: string) => Sha256;
