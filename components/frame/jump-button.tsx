"use client";

import { spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";

export function JumpButton() {
  return (
    <button type="button" className="jump" onClick={() => spotlight.open()}>
      <IconSearch className="i" size={16} stroke={1.5} aria-hidden="true" />
      <span>Jump to change, node, page</span>
      <kbd>Ctrl K</kbd>
    </button>
  );
}
