import { createHash, createHmac, timingSafeEqual } from "node:crypto";

type HostKey = { readonly keyType: string; readonly key: Buffer };
export type HostKeyRuling =
  | { readonly is: "known" }
  | { readonly is: "unknown"; readonly because: string }
  | { readonly is: "changed"; readonly because: string }
  | { readonly is: "revoked"; readonly because: string };

type Entry = { readonly marker: string | null; readonly matches: (name: string) => boolean; readonly key: HostKey };
export type KnownHosts = readonly Entry[];

/** Reads an OpenSSH known_hosts text: plain, patterned and hashed names, `[host]:port`, @revoked. Host certificates (@cert-authority) are not supported. */
export function readKnownHosts(text: string): KnownHosts {
  return text.split(/\r?\n/).flatMap((line) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === undefined || words[0] === "" || words[0].startsWith("#")) return [];
    const marker = words[0].startsWith("@") ? words[0] : null;
    const [names, keyType, base64] = marker === null ? words : words.slice(1);
    if (names === undefined || keyType === undefined || base64 === undefined) return [];
    return [{ marker, matches: nameMatcher(names), key: { keyType, key: Buffer.from(base64, "base64") } }];
  });
}

/** Key types recorded for a host, so that the server is asked for one of these and not for a type that nobody recorded. */
export function knownKeyTypes(known: KnownHosts, host: string, port: number): readonly string[] {
  const name = lookupName(host, port);
  return [...new Set(known.filter((entry) => entry.marker === null && entry.matches(name)).map((entry) => entry.key.keyType))];
}

/** Judges the key that a server showed (raw SSH wire form). */
export function judgeHostKey(known: KnownHosts, host: string, port: number, shown: Buffer): HostKeyRuling {
  const name = lookupName(host, port);
  const fingerprint = fingerprintOf(shown);
  const entries = known.filter((entry) => entry.matches(name));
  if (entries.some((entry) => entry.marker === "@revoked" && entry.key.key.equals(shown))) {
    return {
      is: "revoked",
      because: `The host key of ${name} (${fingerprint}) is marked as revoked in known hosts; nothing is run there.`,
    };
  }
  const plain = entries.filter((entry) => entry.marker === null);
  if (plain.some((entry) => entry.key.key.equals(shown))) return { is: "known" };
  if (plain.length === 0) {
    return {
      is: "unknown",
      because: `The host key of ${name} is not in known hosts; it showed ${typeOf(shown)} ${fingerprint}. Compare that fingerprint on the host itself (ssh-keygen -lf), then add the key.`,
    };
  }
  const recorded = plain.map((entry) => `${entry.key.keyType} ${fingerprintOf(entry.key.key)}`).join(", ");
  return {
    is: "changed",
    because: `The host key of ${name} has changed: it showed ${typeOf(shown)} ${fingerprint}, recorded is ${recorded}. Find out why before anything is run there.`,
  };
}

export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

function typeOf(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0;
  return length > 0 && length <= 64 && key.length >= 4 + length ? key.subarray(4, 4 + length).toString("latin1") : "a key of unknown type";
}

/** OpenSSH records a host on another port than 22 as [host]:port. */
function lookupName(host: string, port: number): string {
  return port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
}

function nameMatcher(names: string): (name: string) => boolean {
  if (names.startsWith("|1|")) return hashedMatcher(names);
  const patterns = names.toLowerCase().split(",");
  return (name) =>
    patterns.some((pattern) => !pattern.startsWith("!") && matchesWildcard(pattern, name)) &&
    !patterns.some((pattern) => pattern.startsWith("!") && matchesWildcard(pattern.slice(1), name));
}

function hashedMatcher(names: string): (name: string) => boolean {
  const [, , salt, hash] = names.split("|");
  if (salt === undefined || hash === undefined) return () => false;
  const wanted = Buffer.from(hash, "base64");
  return (name) => {
    const made = createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest();
    return made.length === wanted.length && timingSafeEqual(made, wanted);
  };
}

/** `*` and `?` as in OpenSSH, without backtracking further than the last star: hostile patterns stay quick. */
function matchesWildcard(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resumeAt = 0;
  while (n < name.length) {
    if (pattern[p] === "*") {
      star = p++;
      resumeAt = n;
    } else if (pattern[p] === "?" || pattern[p] === name[n]) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++resumeAt;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
