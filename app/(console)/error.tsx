"use client";

import { Notice } from "@/components/ui/notice";

/** What broke, and its id in the log. */
export default function ConsoleError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Notice
      tone="fail"
      alert
      end={
        <button type="button" className="btn small" onClick={reset}>
          Try again
        </button>
      }
    >
      <b>This page could not be made.</b> The record may be unreachable, or something is broken here. Nothing was changed by looking. Error{" "}
      <span className="mono">{error.digest ?? "without an id"}</span>, which stands in the log of the web server.
    </Notice>
  );
}
