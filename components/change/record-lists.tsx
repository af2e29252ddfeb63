import { type ReactNode } from "react";

import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { shownWord } from "@/lib/client/shown-word";
import { decidedOn } from "@/lib/core/change/view/thing-name";
import { type ChangeView } from "@/lib/core/change/view/change-view";

import { Word } from "./word";

type Props = { view: ChangeView; now: Date };

/** Holds and what every source says: why nothing may be happening. */
export function StandingWords({ view }: { view: ChangeView }) {
  if (view.sentences.length === 0) return null;
  return (
    <Section title="Why it stands as it does" id="why">
      <ul className="panel rows">
        {view.sentences.map((text) => (
          <li key={text}>
            <span className="main">{text}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What people decided, what is found and open, what is still ours out there. */
export function RecordLists({ view, now }: Props) {
  const findings = [...view.findings].sort((a, b) => Number(a.closedAt !== null) - Number(b.closedAt !== null));
  return (
    <>
      <Section title="Findings" id="findings" meta={`${findings.filter((one) => one.closedAt === null).length} open`}>
        <Rows empty="Nothing was found.">
          {findings.map((one) => (
            <li key={one.id}>
              {one.closedAt !== null ? <Word word="Done" /> : <Word word={one.blocks ? "Open" : "Later"} />}
              <span className="main">
                {one.because} <span className="src">on {one.on.replaceAll("_", " ")}</span>
              </span>
              <span className="end src">{one.closedAt === null ? acceptor(one.acceptedBy) : "accepted or gone"}</span>
            </li>
          ))}
        </Rows>
      </Section>
      <Section title="Decisions" id="decisions" meta={`${view.decisions.length}`}>
        <Rows empty="Nobody has decided anything yet.">
          {[...view.decisions].reverse().map((one) => (
            <li key={one.id}>
              <span className="main">
                <b>{shownWord(one.kind)}</b> by {one.by.name}, {one.choice.replaceAll("_", " ")}, on {decidedOn(view, one.on)}: {one.reason}{" "}
                <span className="src">permits: {one.permits}</span>
              </span>
              <span className="end src">
                {one.revoked && "revoked, "}
                <Instant iso={one.at} age={ageText(new Date(one.at), now)} />
                {one.until !== null && (
                  <>
                    , until <Instant iso={one.until} />
                  </>
                )}
              </span>
            </li>
          ))}
        </Rows>
      </Section>
      <Section title="Still ours out there" id="obligations" meta={`${view.obligations.length}`}>
        <Rows empty="Nothing of this change is left outside.">
          {view.obligations.map((one) => (
            <li key={one.id}>
              <span className="main">
                {shownWord(one.kind)} on <span className="mono">{one.on}</span>, <span className="mono">{one.name}</span>
              </span>
              <span className="end src">
                <Instant iso={one.since} age={ageText(new Date(one.since), now)} />
              </span>
            </li>
          ))}
        </Rows>
      </Section>
    </>
  );
}

/** People, rehearsals, windows, sources and the plan's fingerprint. */
export function RecordFacts({ view, now }: Props) {
  return (
    <Section title="People and plan" id="people">
      <dl className="panel pad kv">
        <dt>Author</dt>
        <dd>{view.people.author.name}</dd>
        <dt>Operator</dt>
        <dd>{view.people.operator.name}</dd>
        <dt>Owner</dt>
        <dd>{view.people.owner.name}</dd>
        <dt>Decision owner</dt>
        <dd>{view.people.decisionOwner?.name ?? "nobody named"}</dd>
        <dt>Ran commands</dt>
        <dd>{view.people.ranBy.map((one) => one.name).join(", ") || "nobody yet"}</dd>
        <dt>Profile</dt>
        <dd>
          {view.profile}, {view.urgency}, {view.execution}, advance {view.advance}
        </dd>
        <dt>Goal</dt>
        <dd>
          {view.goal.component.replaceAll("_", " ")} <span className="mono">{view.goal.version}</span>
        </dd>
        <dt>Plan</dt>
        <dd>
          revision {view.revision}, <span className="mono">{view.fingerprint.slice(0, 16)}</span>
        </dd>
        <dt>Rehearsals</dt>
        <dd>{view.rehearsals.map((one) => `${one.id} (${one.kind}): ${one.text}`).join("; ") || "none linked"}</dd>
        {view.sources.map((one) => (
          <Source key={one.source} source={one} now={now} />
        ))}
      </dl>
    </Section>
  );
}

function Source({ source, now }: { source: ChangeView["sources"][number]; now: Date }) {
  const silent = source.failedAt !== null && (source.confirmsAt === null || source.failedAt > source.confirmsAt);
  return (
    <>
      <dt>Source {source.source}</dt>
      <dd>
        {source.confirmsAt === null ? (
          "never read"
        ) : (
          <Instant iso={source.confirmsAt} age={`read ${ageText(new Date(source.confirmsAt), now)}`} />
        )}
        {silent && (
          <>
            {" "}
            <Word word="Unresolved" /> {source.reason}
          </>
        )}
      </dd>
    </>
  );
}

function Rows({ empty, children }: { empty: string; children: readonly ReactNode[] }) {
  return children.length === 0 ? <p className="muted">{empty}</p> : <ul className="panel rows tall">{children}</ul>;
}

const acceptor = (by: string | null): string =>
  by === null ? "ends with its cause" : by === "nobody" ? "change the plan" : `${by.replaceAll("_", " ")} accepts it`;
