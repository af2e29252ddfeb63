"use client";

import { IconCopy } from "@tabler/icons-react";
import { useState } from "react";

/** Puts a text on the clipboard, and says whether that worked. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [said, setSaid] = useState("");
  const copy = (): void => {
    // Without a secure address there is no clipboard.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    copied.then(
      () => setSaid("Copied"),
      () => setSaid("Not copied: the browser refused"),
    );
  };
  return (
    <>
      <button type="button" className="btn small" onClick={copy}>
        <IconCopy className="i" size={16} stroke={1.5} aria-hidden="true" />
        {children}
      </button>
      <span role="status" className="soft">
        {said}
      </span>
    </>
  );
}
