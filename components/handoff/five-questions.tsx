import { IconArrowRight, IconLock } from "@tabler/icons-react";

import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { type HandoffPage } from "@/lib/core/handoff/handoff-page";

type Props = { page: HandoffPage; now: Date };

/** What a person asks who takes over a change that somebody else wrote. */
export function FiveQuestions({ page, now }: Props) {
  return (
    <Section title="Five questions">
      <div className="panel qa">
        <h3>
          <span>1</span>Which nodes run which version?
        </h3>
        <ul>
          {page.versions.map((group) => (
            <Version key={group.version ?? ""} group={group} goal={page.goal.version} now={now} />
          ))}
        </ul>
        <h3>
          <span>2</span>Which need investigation, why?
        </h3>
        <ul>
          {page.investigate.length === 0 && <li>None.</li>}
          {page.investigate.map((one) => (
            <li key={one.node}>
              <span>
                <Word word={one.outcome} /> <b className="mono">{one.node}</b>
              </span>
              <span>
                {one.because}. {one.owner === null ? <b>Nobody investigates yet.</b> : `Owner ${one.owner.name}.`}{" "}
                <span className="src">
                  <Instant iso={one.since} age={ageText(new Date(one.since), now)} />
                </span>
              </span>
            </li>
          ))}
        </ul>
        <h3>
          <span>3</span>What may be done next?
        </h3>
        <ul>
          {page.may.length === 0 && <li>{page.next}</li>}
          {page.may.map((one) => (
            <li key={`${one.action} ${one.on ?? ""}`} className="ic">
              <IconArrowRight className="i" size={16} stroke={1.5} aria-hidden="true" />
              <b>{named(one)}</b>
              <span>{one.who.join(", ")}</span>
            </li>
          ))}
        </ul>
        <h3>
          <span>4</span>What may not be done, why?
        </h3>
        <ul>
          {page.mayNot.length === 0 && <li>Nothing that is still to come is closed.</li>}
          {page.mayNot.map((one) => (
            <li key={`${one.action} ${one.on ?? ""}`} className="ic c">
              <IconLock className="i" size={16} stroke={1.5} aria-hidden="true" />
              <b>{named(one)}</b>
              <span>Closed. {one.because.join(" ")}</span>
            </li>
          ))}
        </ul>
        <h3>
          <span>5</span>Who decides?
        </h3>
        <p>
          <b>{page.decisionOwner === null ? "Nobody is named" : page.decisionOwner.name}</b>
          {page.decisionOwner === null ? `; ask the owner, ${page.owner.name}.` : " decides whether to continue."}{" "}
          {page.approvers.length > 0 &&
            `${page.approvers.join(", ")} ${page.approvers.length === 1 ? "approves, signs and waives" : "approve, sign and waive"}.`}{" "}
          <span className="muted">{page.owner.name} owns the change.</span>{" "}
          <a className="no-print" href={`${paths.change(page.id)}#actions`}>
            Act on {page.id}
          </a>
        </p>
      </div>
    </Section>
  );
}

function Version({ group, goal, now }: { group: HandoffPage["versions"][number]; goal: string; now: Date }) {
  return (
    <li>
      {group.version === null ? <Word word="Unknown" /> : <b className="mono">{group.version}</b>}
      <span>
        {group.nodes} {group.nodes === 1 ? "node" : "nodes"}
        {group.version === goal ? " on the planned version" : ""}:{" "}
        {group.outcomes.map((one) => `${one.outcome.toLowerCase()} ${one.names}`).join("; ")}{" "}
        <span className="src">
          {group.sources.length > 0 && `${group.sources.join(", ")}, `}
          {group.oldest === null ? (
            "never read"
          ) : (
            <Instant iso={group.oldest} age={`oldest read ${ageText(new Date(group.oldest), now)}`} />
          )}
        </span>
      </span>
    </li>
  );
}

const named = ({ words, on }: { words: string; on: string | null }): string => (on === null ? words : `${words} ${on}`);
