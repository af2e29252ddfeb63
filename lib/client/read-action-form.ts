import { expandHostlist } from "@/lib/core/kernel/hostlist";
import { parseDuration } from "@/lib/core/kernel/duration-text";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { Field } from "./action-forms";

type Read = { readonly value: unknown } | { readonly fault: string } | "empty";

/** What was typed, as the body of the action's request. Empty fields are left out; what cannot be understood is named by its label. */
export function readActionForm(fields: readonly Field[], form: FormData): Result<Record<string, unknown>, readonly string[]> {
  const on = textOf(form, "on");
  const version = Number(textOf(form, "version"));
  const input: Record<string, unknown> = { ...(on === "" ? {} : { on }), ...(version > 0 ? { version } : {}) };
  const faults: string[] = [];
  for (const field of fields) {
    const read = readField(field, form);
    if (read === "empty") continue;
    if ("fault" in read) faults.push(`${field.label}: ${read.fault}`);
    else input[field.name] = read.value;
  }
  return faults.length === 0 ? ok(input) : err(faults);
}

function readField(field: Field, form: FormData): Read {
  const text = textOf(form, field.name);
  switch (field.kind) {
    case "open-findings":
    case "warnings":
      return { value: form.getAll(field.name).filter((one): one is string => typeof one === "string") };
    case "jobs":
      return jobsOf(form);
    case "flag":
      return { value: text === "on" };
    case "file":
      return "empty";
    default:
      return text === "" ? "empty" : readText(field, text);
  }
}

function readText(field: Field, text: string): Read {
  switch (field.kind) {
    case "number":
      return /^\d{1,9}$/.test(text) ? { value: Number(text) } : { fault: `"${clip(text)}" is not a whole number` };
    case "numbers": {
      const words = wordsOf(text);
      return words.every((word) => /^\d{1,9}$/.test(word))
        ? { value: words.map(Number) }
        : { fault: "numbers with commas between them, such as 4, 3, 5" };
    }
    case "duration": {
      const ms = parseDuration(text);
      return ms === null ? { fault: `"${clip(text)}" is not a duration such as 90s, 5m or 1h30m` } : { value: ms };
    }
    case "instant": {
      const at = new Date(/[Zz]$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
      return Number.isNaN(at.getTime())
        ? { fault: `"${clip(text)}" is not a moment such as 2026-12-08T22:00` }
        : { value: at.toISOString() };
    }
    case "nodes": {
      const names = expandHostlist(text.replace(/\s+/g, ""));
      return names.ok ? { value: names.value } : { fault: `"${clip(text)}" is not a list of nodes such as gpu[001-004],gpu009` };
    }
    case "words":
      return { value: wordsOf(text) };
    case "limits":
      return rowsOf(text, /^(.+?)\s*=\s*(.+)$/, (check, limit) => ({ check, limit }), "check = limit");
    case "leaving":
      return rowsOf(
        text,
        /^([^,]+),\s*([^,]+),\s*([^,]+),\s*(.+)$/,
        (node, owner, ticket, reason) => ({ node, owner, ticket, reason }),
        "node, owner, ticket, reason",
      );
    case "line":
      return { value: field.name === "value" && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text };
    default:
      return { value: text };
  }
}

function rowsOf(text: string, pattern: RegExp, make: (...parts: string[]) => object, shape: string): Read {
  const rows: object[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const found = pattern.exec(line.trim());
    if (found === null) return { fault: `line ${i + 1} is not "${shape}"` };
    rows.push(make(...found.slice(1).map((part) => part.trim())));
  }
  return { value: rows };
}

/** One pair of choices for each class: `job/CLASS` and `baseline/CLASS`. */
function jobsOf(form: FormData): Read {
  const jobs = [...form.keys()]
    .filter((key) => key.startsWith("job/"))
    .map((key) => key.slice("job/".length))
    .map((label) => ({ class: label, job: textOf(form, `job/${label}`), baseline: textOf(form, `baseline/${label}`) }));
  const open = jobs.filter(({ job }) => job === "").map((one) => one.class);
  return open.length > 0 ? { fault: `choose a job for ${open.join(", ")}` } : { value: jobs };
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
};
const wordsOf = (text: string): string[] => text.split(/[,\s]+/).filter((word) => word !== "");
const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
