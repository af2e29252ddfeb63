"use client";

import { Drawer } from "@mantine/core";
import { useState, type MouseEvent } from "react";

import { CopyButton } from "@/components/ui/copy-button";
import { paths } from "@/lib/client/paths";

type Raw =
  | { readonly is: "reading" }
  | { readonly is: "read"; readonly text: string; readonly bytes: number }
  | { readonly is: "not"; readonly because: string };

/** Shown in the drawer at most; the download has all of it. */
const SHOWN_BYTES = 256 * 1024;

/** The way to the original bytes: beside the page in a drawer, or on a page of their own where no script runs. */
export function EvidenceLink({ sha }: { sha: string }) {
  const [open, setOpen] = useState(false);
  const [raw, setRaw] = useState<Raw>({ is: "reading" });
  const show = (event: MouseEvent): void => {
    // Another tab is another tab.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(true);
    if (raw.is !== "read") void read(sha).then(setRaw);
  };
  return (
    <>
      <a className="mono sha" href={paths.evidence(sha)} title={`${sha}, original bytes`} onClick={show}>
        {sha.slice(0, 10)}
      </a>
      <Drawer opened={open} onClose={() => setOpen(false)} title="Evidence" position="right" size="lg" transitionProps={{ duration: 0 }}>
        <p className="mono shafull">sha256 {sha}</p>
        <div className="send">
          <a className="btn small" href={`${paths.evidence(sha)}/raw`} download>
            Download
          </a>
          {raw.is === "read" && <CopyButton text={raw.text}>Copy</CopyButton>}
          <a href={paths.evidence(sha)}>Page of its own</a>
        </div>
        {raw.is === "reading" && <p role="status">Reading …</p>}
        {raw.is === "not" && <p role="alert">{raw.because}</p>}
        {raw.is === "read" && (
          <>
            <p className="src">
              {raw.bytes.toLocaleString("en-GB")} bytes as they came
              {raw.bytes > SHOWN_BYTES && `; the first ${SHOWN_BYTES.toLocaleString("en-GB")} are shown`}
            </p>
            <pre className="raw" tabIndex={0}>
              {raw.text}
            </pre>
          </>
        )}
      </Drawer>
    </>
  );
}

async function read(sha: string): Promise<Raw> {
  try {
    const answer = await fetch(`${paths.evidence(sha)}/raw`);
    if (!answer.ok)
      return {
        is: "not",
        because: `The evidence could not be read: the server answered ${answer.status}. Reload the page, or download it.`,
      };
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { is: "read", text: new TextDecoder().decode(bytes.subarray(0, SHOWN_BYTES)), bytes: bytes.length };
  } catch {
    return { is: "not", because: "The evidence could not be read: the server cannot be reached. Try again." };
  }
}
