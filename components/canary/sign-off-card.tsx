import { IconLock } from "@tabler/icons-react";

import { ActionForm } from "@/components/change/action-form";
import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { formOf } from "@/lib/client/action-forms";
import { type FormAction } from "@/lib/client/form-state";
import { type FormChoices } from "@/lib/client/form-choices";
import { type PersonalAction } from "@/lib/client/group-actions";
import { paths } from "@/lib/client/paths";
import { whatHappens } from "@/lib/client/what-happens";
import { type CanaryRecord } from "@/lib/core/change/view/canary-record";
import { type ChangeView } from "@/lib/core/change/view/change-view";

type Props = { record: CanaryRecord; view: ChangeView; actions: readonly PersonalAction[]; choices: FormChoices; act: FormAction };

/** Sign or reject, with every reason where it is closed; and what a signature binds to (R4.4, R12.2). */
export function SignOffCard({ record, view, actions, choices, act }: Props) {
  return (
    <Section title="Sign-off" id="sign-off" meta={record.class}>
      <div className="panel">
        {record.signed !== null && (
          <p className="pad">
            <Word word={record.signed.revoked ? "Open" : "Done"} /> {record.signed.revoked ? "The sign-off was revoked" : "Signed off"} by{" "}
            <b>{record.signed.by}</b> <Instant iso={record.signed.at.toISOString()} />: {record.signed.reason}
          </p>
        )}
        {!record.newest && (
          <p className="pad">
            <Word word="Open" /> A newer record of this class counts. This one is kept as it was.
          </p>
        )}
        {record.open.length > 0 && (
          <ul className="pad plain points">
            {record.open.map((point) => (
              <li key={point.name}>
                <Word word={point.verdict === "fail" ? "Fail" : "Unresolved"} /> <b>{point.name.replaceAll("_", " ")}</b>: {point.because}
              </li>
            ))}
          </ul>
        )}
        <ul className="acts narrow" aria-label="Sign or reject">
          {["sign-off", "reject-canary"].map((name) => (
            <Row key={name} name={name} {...{ record, view, actions, choices, act }} />
          ))}
          <li className="holds">
            <div className="rowlike">
              <span className="name">Second reading</span>
              <span className="do">
                <a className="btn" href={paths.reading(view.id, record.id)}>
                  Read
                </a>
              </span>
            </div>
          </li>
        </ul>
        <dl className="kv pad binds">
          <dt>Plan</dt>
          <dd className="mono shafull">{view.fingerprint}</dd>
          <dt>Record</dt>
          <dd className="mono shafull">{record.fingerprint}</dd>
          <dt>Wrote, ran</dt>
          <dd>{[...new Set([view.people.author.name, ...view.people.ranBy.map((one) => one.name)])].join(", ")}</dd>
        </dl>
        <p className="note pad">A signature binds to both. Any change to either voids it. Silence is never an approval.</p>
      </div>
    </Section>
  );
}

function Row({ name, record, view, actions, choices, act }: Props & { name: string }) {
  const state = actions.find((one) => one.action === name && one.on === record.id);
  const form = formOf(name);
  if (state?.permitted === true && state.notYours === null) {
    const thing = { on: record.id, name: `record ${record.number} of ${record.canary}`, happens: whatHappens(view, name, record.id) };
    return (
      <li className="holds">
        <ActionForm act={act} changeId={view.id} action={name} things={[thing]} choices={choices} primary={name === "sign-off"}>
          <span className="name">{form?.label ?? name}</span>
        </ActionForm>
      </li>
    );
  }
  const because =
    state === undefined ? ["This record counts no more."] : state.notYours === null ? state.because : [...state.because, state.notYours];
  return (
    <li className="closed">
      <IconLock className="i" size={16} stroke={1.5} aria-hidden="true" />
      <span className="name">{form?.label ?? name}</span>
      <span className="why">
        <b>Closed. {because.join(" ")}</b>
      </span>
    </li>
  );
}
