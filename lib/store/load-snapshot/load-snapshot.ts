import type { Snapshot } from "@/lib/core/change/snapshot";
import type { Store } from "@/lib/ports/store";
import { readOnly, type Database } from "../database";
import { loadAcceptance } from "./load-acceptance";
import { loadCalendar } from "./load-calendar";
import { loadCapacity } from "./load-capacity";
import { loadChange } from "./load-change";
import { loadJudgements } from "./load-judgements";
import { loadPlaces } from "./load-places";
import { loadTargets } from "./load-targets";
import { loadWork } from "./load-work";
import type { Loading } from "./loading";

/** Everything that core may look at, as of one moment (MODEL 5.2, step 2). */
export const loadSnapshot =
  ({ pool, hash }: Database): Store["loadSnapshot"] =>
  (changeId) =>
    readOnly(pool, async (sql): Promise<Snapshot | null> => {
      const loaded = await loadChange(sql, hash, changeId);
      if (loaded === null) return null;
      const l: Loading = { sql, hash, changeId, clusterId: loaded.cluster.id, now: loaded.now };
      const judgements = await loadJudgements(l, loaded.change.type);
      const work = await loadWork(l);
      const untestedAccepted = judgements.findings.some(
        (f) => f.kind === "plan" && f.key.endsWith("/rollback_untested") && f.closedAt !== null && isAccepted(f.id, judgements),
      );
      const targets = await loadTargets(l, { loaded, obligations: work.obligations, untestedAccepted });
      const { now: _now, sources: _sources, policy: _policy, ...change } = loaded;
      return {
        ...change,
        ...judgements,
        ...work,
        ...(await loadAcceptance(l, loaded.change.revision, loaded.change.type)),
        ...(await loadCalendar(l)),
        ...(await loadCapacity(l, loaded, judgements.decisions)),
        ...(await loadPlaces(l, loaded)),
        targets,
      };
    });

/** Closed by a person's acceptance, not because a newer revision made it pointless. */
const isAccepted = (findingId: string, { decisions }: Pick<Snapshot, "decisions">): boolean =>
  decisions.some(
    (d) =>
      !d.revoked &&
      ((d.kind === "finding_accepted" && d.on.id === findingId) ||
        (Array.isArray(d.facts["accepts"]) && d.facts["accepts"].includes(findingId))),
  );
