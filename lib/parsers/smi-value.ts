import { numberFrom } from "@/lib/core/check/number-text";
import { addNumber, addProblem, addText, type Draft } from "./reading-draft";

const NO_VALUE = /^(\[.*\]|N\/A|ERR!|)$/;
/** Non-values that say the GPU itself is broken; every other bracket says only that there is no value. */
const BROKEN = /GPU requires reset|GPU is lost|Unknown Error|^ERR!$/i;
const TEXTS = /version|name|uuid|serial|bus_id|timestamp|state|mode|compute_cap|policy|driver_model/i;

/** One printed cell as a value of the GPU: a number with its unit, a text, or a non-value, which is never a number. */
export function addSmiValue(draft: Draft, name: string, entity: string, cell: { text: string; unit: string | null; asked: boolean }): void {
  const text = cell.text.trim();
  if (NO_VALUE.test(text)) {
    addText(draft, name, entity, text, "no value");
    if (BROKEN.test(text)) draft.statements.push({ test: name, entity, says: "fail", because: `${entity}: ${name} reads ${text}` });
    else if (cell.asked) addProblem(draft, "no_data", `${entity}: ${name} has no value (${text === "" ? "empty" : text})`, entity);
    return;
  }
  const printed = /^([+-]?\d[\d.eE+-]*)\s*(%|[A-Za-z][A-Za-z/]*)?$/.exec(text);
  if (TEXTS.test(name) || !printed) {
    addText(draft, name, entity, text, name === "timestamp" ? "local time" : "text");
    return;
  }
  const number = numberFrom(printed[1] ?? "", name);
  if (number.is === "number") {
    addNumber(draft, name, entity, number.value, { text: printed[1] ?? "", unit: printed[2] ?? cell.unit ?? "" });
    return;
  }
  addText(draft, name, entity, number.shown, "no value");
  addProblem(draft, number.reason, `${entity}: ${name}: ${number.because}`, entity);
}

/** A link narrower than the widest of the same model in the same host, or than the device's own maximum, is a fault that no tool calls one. */
export function judgeLinkWidths(draft: Draft): void {
  const widths = draft.values.filter((value) => value.name === "pcie.link.width.current" && value.value !== null);
  const textOf = (name: string, entity: string) => draft.values.find((value) => value.name === name && value.entity === entity);
  for (const { entity, value } of widths) {
    const model = textOf("name", entity)?.text;
    const same = widths.filter((other) => textOf("name", other.entity)?.text === model).map((other) => other.value ?? 0);
    const widest = Math.max(textOf("pcie.link.width.max", entity)?.value ?? 0, ...same);
    if (value !== null && value < widest)
      draft.statements.push({
        test: "pcie.link.width.current",
        entity,
        says: "fail",
        because: `${entity}: PCIe link width ${value}, expected ${widest}`,
      });
  }
}
