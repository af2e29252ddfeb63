"use client";

import { Notice } from "./notice";

type Answer = {
  readonly is: "idle" | "done" | "refused";
  readonly because: string;
  readonly places: readonly string[];
  readonly shown?: string;
};

/** What came back for a form: done, or refused with the places that are wrong; said aloud to a screen reader. */
export function FormAnswer({ state }: { state: Answer }) {
  if (state.is === "idle") return null;
  if (state.is === "done") {
    return (
      <div role="status">
        <p>{state.because}</p>
        {state.shown !== undefined && <code className="once">{state.shown}</code>}
        <Places places={state.places} />
      </div>
    );
  }
  return (
    <Notice tone="fail" alert>
      <b>{state.because}</b>
      <Places places={state.places} />
    </Notice>
  );
}

function Places({ places }: { places: readonly string[] }) {
  if (places.length === 0) return null;
  return (
    <ul className="places">
      {places.map((place) => (
        <li key={place}>{place}</li>
      ))}
    </ul>
  );
}
