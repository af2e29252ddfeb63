import { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import type { PersonId, Sha256 } from "@/lib/core/kernel/ids";
import { err, ok } from "@/lib/core/kernel/result";
import type { Store } from "@/lib/ports/store";
import type { PrismaClient } from "@/prisma/generated/client";
import { appendAudit } from "./append-audit";
import { SITE_CHAIN } from "./changes";
import { row, transact, type Database } from "./database";
import { rowRef } from "./row-hashes";
import { bytesOf, json } from "./stored-text";

type Jobs = Pick<Store, "saveAcceptanceJob" | "acceptanceJobs">;

/** Versions are immutable (R3.2): the same content again is the same job, other content is refused. */
export const acceptanceJobs = ({ pool }: Database, prisma: PrismaClient): Jobs => ({
  saveAcceptanceJob: (spec, yaml, by, fingerprint, at) =>
    transact(pool, async (sql) => {
      const id = `${spec.name}@${spec.version}`;
      const written = await sql.query(
        `insert into acceptance_jobs (id, name, version, spec, fingerprint, author_id, created_at) values ($1, $2, $3, $4, $5, $6, $7) on conflict (name, version) do nothing`,
        [id, spec.name, spec.version, json(spec), bytesOf(fingerprint), by, at],
      );
      if (written.rowCount === 1) {
        const entry = { action: "acceptance_job.published", targetId: null, because: "", facts: { job: id, fingerprint, yaml } };
        await appendAudit(sql, { chain: SITE_CHAIN, at, actor: by }, [entry], new Set([rowRef("acceptance_jobs", id)]));
        return ok({ id });
      }
      const found = await row<{ id: string; same: boolean }>(
        sql,
        "select id, fingerprint = $3 as same from acceptance_jobs where name = $1 and version = $2",
        [spec.name, spec.version, bytesOf(fingerprint)],
      );
      return found?.same ? ok({ id: found.id }) : err({ code: "exists_with_other_content" as const });
    }),

  acceptanceJobs: async () => {
    const found = await prisma.acceptanceJob.findMany({ orderBy: [{ name: "asc" }, { version: "asc" }] });
    return found.map((job) => ({
      id: job.id,
      spec: AcceptanceJobSpec.parse(job.spec),
      fingerprint: Buffer.from(job.fingerprint).toString("hex") as Sha256,
      createdAt: job.createdAt,
      authorId: job.authorId as PersonId,
    }));
  },
});
