import { type HandoffPage } from "@/lib/core/handoff/handoff-page";

/** On paper only: which record this is, so that a sheet can be held against it later. */
export function PaperLine({ page, reader }: { page: HandoffPage; reader: string }) {
  const { version, revision, plan, audit } = page.record;
  return (
    <p className="only-print paper-line">
      <b>Clearance</b> handoff · {page.id} · {page.cluster} · record {version} · plan revision {revision} sha256 {plan} ·{" "}
      {audit === null ? "no audit line" : `audit line ${audit.seq} ${audit.hash}`} · read {page.at.slice(0, 19).replace("T", " ")} UTC by{" "}
      {reader}
    </p>
  );
}
