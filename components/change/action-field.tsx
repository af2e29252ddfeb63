"use client";

import { type Field } from "@/lib/client/action-forms";
import { typedIn, type FormState } from "@/lib/client/form-state";
import { type FormChoices } from "@/lib/client/form-choices";

type Props = { field: Field; state: FormState; choices: FormChoices; /** What the action is done to, as chosen. */ on: string | null };

/** One field of an action's form, with what was typed before. */
export function ActionField({ field, state, choices, on }: Props) {
  const typed = typedIn(state, field.name);
  const { name, required = false } = field;
  switch (field.kind) {
    case "flag":
      return (
        <label className="tick">
          <input type="checkbox" name={name} defaultChecked={typed === "on"} /> {field.label}
        </label>
      );
    case "open-findings":
    case "warnings": {
      const rows = field.kind === "open-findings" ? choices.findings : (choices.warnings[on ?? ""] ?? []);
      return rows.length === 0 ? null : (
        <fieldset className="ticks">
          <legend>{field.label}</legend>
          {rows.map(({ id, text }) => (
            <label key={id} className="tick">
              <input type="checkbox" name={name} value={id} defaultChecked={state.typed[name]?.includes(id)} /> <span>{text}</span>
            </label>
          ))}
        </fieldset>
      );
    }
    case "jobs":
      return choices.classes.map(({ label, jobs, baselines }) => (
        <div key={label} className="pair">
          <Choose
            label={`Job for ${label}`}
            name={`job/${label}`}
            typed={typedIn(state, `job/${label}`)}
            rows={jobs.map((job) => [job, job])}
          />
          <Choose
            label="Baseline"
            name={`baseline/${label}`}
            typed={typedIn(state, `baseline/${label}`) ?? "capture"}
            rows={[["capture", "captured by the canary"], ...baselines.map(({ id, text }) => [id, text] as const)]}
          />
        </div>
      ));
    case "choice":
      return <Choose label={field.label} name={name} typed={typed} required={required} rows={field.choices ?? []} />;
    case "person":
      return (
        <Choose label={field.label} name={name} typed={typed} required={required} rows={choices.people.map((one) => [one.id, one.name])} />
      );
    case "rehearsal":
      return (
        <Choose
          label={field.label}
          name={name}
          typed={typed}
          required={required}
          rows={choices.rehearsals.map((one) => [one.id, one.text])}
        />
      );
    default:
      return (
        <label className={field.kind === "yaml" || field.kind === "area" ? "field wide" : "field"}>
          <span>{field.label}</span>
          <Typed field={field} typed={typed} choices={choices} />
          {field.hint !== undefined && <small>{field.hint}</small>}
        </label>
      );
  }
}

function Typed({ field, typed, choices }: { field: Field; typed: string | undefined; choices: FormChoices }) {
  const { name, required = false } = field;
  switch (field.kind) {
    case "yaml":
      return (
        <textarea
          className="in mono yaml"
          name={name}
          required={required}
          rows={24}
          spellCheck={false}
          defaultValue={typed ?? choices.yaml}
        />
      );
    case "area":
    case "limits":
    case "leaving":
      return <textarea className="in" name={name} required={required} rows={2} maxLength={20_000} defaultValue={typed} />;
    case "instant":
      return <input className="in" type="datetime-local" name={name} required={required} defaultValue={typed} />;
    case "number":
      return <input className="in" type="number" min={1} name={name} required={required} defaultValue={typed} />;
    case "file":
      return <input className="in" type="file" name={name} required={required} />;
    case "parser":
      return <input className="in mono" name={name} maxLength={60} defaultValue={typed} placeholder="the check's own parser" />;
    default: {
      const begins = name === "timezone" ? choices.timezone : undefined;
      return <input className="in" name={name} required={required} maxLength={2_000} defaultValue={typed ?? begins} />;
    }
  }
}

type Chosen = {
  label: string;
  name: string;
  typed: string | undefined;
  required?: boolean;
  rows: readonly (readonly [value: string, label: string])[];
};

function Choose({ label, name, typed, required = false, rows }: Chosen) {
  return (
    <label className="field">
      <span>{label}</span>
      <select className="in" name={name} required={required} defaultValue={typed ?? ""}>
        <option value="">{rows.length === 0 ? "nothing to choose from yet" : required ? "choose …" : "as it is"}</option>
        {rows.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
