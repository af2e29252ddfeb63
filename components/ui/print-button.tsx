"use client";

import { IconPrinter } from "@tabler/icons-react";

/** Prints the page. */
export function PrintButton() {
  return (
    <button type="button" className="btn small" onClick={() => window.print()}>
      <IconPrinter className="i" size={16} stroke={1.5} aria-hidden="true" />
      Print
    </button>
  );
}
