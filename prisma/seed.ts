// People of this installation: those of the configuration, and in the demo those of the mocks with passwords and tokens in a file that only
// its owner reads. Running it again changes nothing.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import pg from "pg";
import { z } from "zod";

import { type Role } from "@/lib/core/access/roles";
import { BadEnvironment, loadEnv, type Env } from "@/lib/env";
import { SecretMissing } from "@/lib/server/config/secret";
import { DEMO_PEOPLE } from "@/lib/server/demo-people";
import { hashPassword, verifyPassword } from "@/lib/server/password";
import { setClock, useRealTime } from "@/lib/store/clock";

const Kept = z.strictObject({ id: z.string(), title: z.string(), email: z.string(), password: z.string(), token: z.string() });
type Kept = z.infer<typeof Kept>;
type Wanted = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly password: string | null;
};

async function seed(env: Env): Promise<void> {
  const client = new pg.Client({ connectionString: env.databaseUrl });
  await client.connect();
  try {
    for (const { password, token, ...person } of env.config.people) {
      await putPerson(client, { ...person, password: password === undefined ? null : env.secret(password) });
      if (token !== undefined) await putToken(client, { id: person.id, token: env.secret(token) });
    }
    await setSpeed(client, env);
    if (!env.demo) return;
    for (const { roles, kept } of demoPeople(join(env.dataDir, "demo-people.json"))) {
      await putPerson(client, { id: kept.id, name: kept.id, email: kept.email, roles, password: kept.password });
      await putToken(client, kept);
    }
  } finally {
    await client.end();
  }
}

/** A maintenance of an hour takes a few minutes to watch. */
const DEMO_SPEED = 20;

/**
 * How fast shown time runs: in the demo as CLEARANCE_SPEED says (1 to 60), else as before, and 20 at the first start. Everywhere else it is the
 * real time, whatever the database was used for before.
 */
async function setSpeed(client: pg.Client, { demo }: Env): Promise<void> {
  if (!demo) return await useRealTime(client);
  const asked = process.env["CLEARANCE_SPEED"] ?? "";
  const factor = Number(asked);
  if (asked !== "" && !(factor >= 1 && factor <= 60))
    throw new BadEnvironment(`CLEARANCE_SPEED must be a number from 1 to 60, not "${asked}".`);
  const { rows } = await client.query<{ known: boolean }>("select exists (select from people) as known");
  if (asked !== "") await setClock(client, { factor });
  else if (rows[0]?.known !== true) await setClock(client, { factor: DEMO_SPEED });
}

/** The demo people with what the file keeps of them; made once, and completed when the list has grown. */
function demoPeople(file: string): { roles: readonly Role[]; kept: Kept }[] {
  const before = existsSync(file) ? z.array(Kept).parse(JSON.parse(readFileSync(file, "utf8"))) : [];
  const people = DEMO_PEOPLE.map(({ id, title, roles }) => ({
    roles,
    kept: before.find((one) => one.id === id) ?? {
      id,
      title,
      email: `${id.toLowerCase()}@demo.invalid`,
      password: randomBytes(12).toString("base64url"),
      token: `clr_${randomBytes(32).toString("base64url")}`,
    },
  }));
  const all = people.map(({ kept }) => kept);
  if (JSON.stringify(all) !== JSON.stringify(before)) writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return people;
}

async function putPerson(client: pg.Client, { id, name, email, roles, password }: Wanted): Promise<void> {
  const { rows } = await client.query<{ password_hash: string | null }>("select password_hash from people where id = $1", [id]);
  const stored = rows[0]?.password_hash ?? null;
  const hash = password === null || (await verifyPassword(password, stored)) ? stored : await hashPassword(password);
  await client.query(
    `insert into people (id, name, email, roles, password_hash) values ($1, $2, $3, $4::role[], $5)
     on conflict (id) do update set name = excluded.name, email = excluded.email, roles = excluded.roles, password_hash = excluded.password_hash,
       version = people.version + 1
     where (people.name, people.email, people.roles, people.password_hash)
       is distinct from (excluded.name, excluded.email, excluded.roles, excluded.password_hash)`,
    [id, name, email.toLowerCase(), roles, hash],
  );
}

async function putToken(client: pg.Client, { id, token }: Pick<Kept, "id" | "token">): Promise<void> {
  await client.query(
    `insert into api_tokens (id, person_id, name, hash, scopes) values ($1, $2, 'demo', $3, '{read,write}') on conflict (hash) do nothing`,
    [randomUUID(), id, createHash("sha256").update(token, "utf8").digest()],
  );
}

try {
  await seed(await loadEnv());
} catch (fault) {
  if (!(fault instanceof BadEnvironment) && !(fault instanceof SecretMissing)) throw fault;
  console.error(fault.message);
  process.exit(1);
}
