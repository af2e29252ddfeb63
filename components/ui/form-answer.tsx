"use client";

import { Notice } from "./notice";

type Answer = { readonly is: "idle" | "done" | "refused"; readonly because: string; readonly places: readonly string[] };

/** What came back for a form: done, or refused with the places that are wrong; said aloud to a screen reader. */
export function FormAnswer({ state }: { state: Answer }) {
  if (state.is === "idle") return null;
  if (state.is === "done") return <p role="status">{state.because}</p>;
  return (
    <Notice tone="fail" alert>
      <b>{state.because}</b>
      {state.places.length > 0 && (
        <ul className="places">
          {state.places.map((place) => (
            <li key={place}>{place}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
