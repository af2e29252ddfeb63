import { IconArrowRight, IconChevronRight, IconLock } from "@tabler/icons-react";

import { type ReactNode } from "react";

import { formOf } from "@/lib/client/action-forms";
import { type FormAction } from "@/lib/client/form-state";
import { type FormChoices } from "@/lib/client/form-choices";
import { groupActions, type ActionRow, type PersonalAction } from "@/lib/client/group-actions";
import { paths } from "@/lib/client/paths";
import { isAhead, isOnTheWay } from "@/lib/core/change/on-the-way";
import { thingName } from "@/lib/core/change/view/thing-name";
import { whatHappens } from "@/lib/client/what-happens";
import { type ChangeView } from "@/lib/core/change/view/change-view";

import { ActionForm } from "./action-form";

type Props = { view: ChangeView; actions: readonly PersonalAction[]; choices: FormChoices; act: FormAction };

/** What is next, what is open to this person, what is open to others, and what is closed with every reason (R7.4). No action is missing. */
export function ActionList({ view, actions, choices, act }: Props) {
  const rows = groupActions(actions, view.nextAction.action);
  const isNext = (row: ActionRow) => row.action === view.nextAction.action;
  const nextOfOthers = rows.open.some(isNext) ? [] : rows.others.filter(isNext);
  const others = rows.others.filter((row) => !nextOfOthers.includes(row));
  const onTheWay = (row: ActionRow) => isNext(row) || isOnTheWay(row, view.gates);
  const ahead = (row: ActionRow) => isNext(row) || isAhead(row, view.gates);
  const openRow = (row: ActionRow) => (
    <li key={row.action} className={isNext(row) ? "holds next" : "holds"}>
      <OpenRow row={row} view={view} choices={choices} act={act} next={isNext(row)} />
    </li>
  );
  const closedRow = (row: ActionRow) => (
    <li key={row.key} className="closed">
      <ClosedCells row={row} view={view} />
    </li>
  );
  return (
    <ul className="panel acts" aria-label="Actions" id="actions">
      {nextOfOthers.map((row) => (
        <li key={row.key} className="next">
          <ClosedCells row={row} view={view} next />
        </li>
      ))}
      {rows.open.filter(onTheWay).map(openRow)}
      <Folded name="Also open to you" rows={rows.open.filter((row) => !onTheWay(row))}>
        {openRow}
      </Folded>
      {others.some(onTheWay) && <li className="cap">Open, for others</li>}
      {others.filter(onTheWay).map(closedRow)}
      <Folded name="Also open, for others" rows={others.filter((row) => !onTheWay(row))}>
        {closedRow}
      </Folded>
      {rows.closed.some(ahead) && <li className="cap">Closed now, and why</li>}
      {rows.closed.filter(ahead).map(closedRow)}
      <Folded name="Also closed" rows={rows.closed.filter((row) => !ahead(row))}>
        {closedRow}
      </Folded>
    </ul>
  );
}

type FoldedProps = { name: string; rows: readonly ActionRow[]; children: (row: ActionRow) => ReactNode };

/** Rows that are seldom wanted: their names stay in sight, the rest unfolds. */
function Folded({ name, rows, children }: FoldedProps) {
  if (rows.length === 0) return null;
  return (
    <li className="holds">
      <details className="fold">
        <summary className="capline">
          {name}: {[...new Set(rows.map((row) => formOf(row.action)?.label ?? row.action))].join(", ")}
        </summary>
        <ul className="acts" aria-label={name}>
          {rows.map(children)}
        </ul>
      </details>
    </li>
  );
}

type OpenProps = { row: ActionRow; view: ChangeView; choices: FormChoices; act: FormAction; next: boolean };

function OpenRow({ row, view, choices, act, next }: OpenProps) {
  const Glyph = next ? IconArrowRight : IconChevronRight;
  const form = formOf(row.action);
  const cells = (
    <>
      <Glyph className="i" size={16} stroke={1.5} aria-hidden="true" />
      <span className="name">{form?.label ?? row.action}</span>
      <span className="who muted">{whoText(row)}</span>
      <span className="why">{next ? view.nextAction.sentence : thingsText(row, view)}</span>
    </>
  );
  if (row.action === "record-reading") {
    return (
      <div className="rowlike">
        {cells}
        <span className="do">
          <a className="btn" href={paths.reading(view.id, row.ons[0] ?? "")}>
            Read
          </a>
        </span>
      </div>
    );
  }
  const things = row.ons.map((on) => ({
    on,
    name: on === null ? (row.action === "book-window" ? "a new window" : "this change") : thingName(view, row.action, on),
    happens: whatHappens(view, row.action, on),
  }));
  return (
    <ActionForm act={act} changeId={view.id} action={row.action} things={things} choices={choices} primary={next}>
      {cells}
    </ActionForm>
  );
}

function ClosedCells({ row, view, next = false }: { row: ActionRow; view: ChangeView; next?: boolean }) {
  const Glyph = next ? IconArrowRight : IconLock;
  return (
    <>
      <Glyph className="i" size={16} stroke={1.5} aria-hidden="true" />
      <span className="name">{formOf(row.action)?.label ?? row.action}</span>
      <span className="who muted">{whoText(row)}</span>
      <span className="why">
        {next && <span>{view.nextAction.sentence} </span>}
        {!next && row.ons.some((on) => on !== null) && <span className="muted">{thingsText(row, view)}: </span>}
        <b>{row.because.join(" ")}</b>
      </span>
    </>
  );
}

const whoText = (row: ActionRow): string => (row.people.length === 0 ? row.by.join(" or ") : row.people.slice(0, 3).join(", "));

function thingsText(row: ActionRow, view: ChangeView): string {
  const named = row.ons.flatMap((on) => (on === null ? [] : [thingName(view, row.action, on)]));
  return named.length <= 3 ? named.join(", ") : `${named.slice(0, 3).join(", ")} and ${named.length - 3} more`;
}
