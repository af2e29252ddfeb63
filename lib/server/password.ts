import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const COST = { N: 16_384, r: 8, p: 1 } as const;
const BYTES = 32;
const LONGEST = 1024;

/** `scrypt$N$r$p$salt$hash`, so that the cost can grow without touching what is stored. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** False for a wrong password and for anything that is not such a hash. Takes as long for an unknown person (`stored` null) as for a known one. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  if (password.length > LONGEST) return false;
  const [scheme, n, r, p, salt, hash] = (stored ?? "").split("$");
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  if (
    scheme !== "scrypt" ||
    salt === undefined ||
    hash === undefined ||
    !(cost.N > 1 && cost.N <= 2 ** 20 && cost.r > 0 && cost.r <= 32 && cost.p > 0 && cost.p <= 16)
  ) {
    await derive(password, Buffer.alloc(16), COST);
    return false;
  }
  const expected = Buffer.from(hash, "base64url");
  const got = await derive(password, Buffer.from(salt, "base64url"), cost);
  return expected.length === got.length && timingSafeEqual(expected, got);
}

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((done, failed) => {
    scrypt(password.normalize("NFKC"), salt, BYTES, { ...cost, maxmem: 256 * cost.N * cost.r }, (cause, key) =>
      cause === null ? done(key) : failed(cause),
    );
  });
}
