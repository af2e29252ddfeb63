"use client";

import { Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

import { PAGES } from "@/lib/client/jumps";

const SECOND_KEY_MS = 1_500;

/** Keys of the console: `?` lists them. They do nothing while somebody types. */
export function Shortcuts() {
  const router = useRouter();
  const [open, { open: show, close }] = useDisclosure(false);
  const first = useRef(-Infinity);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "?") return show();
      if (event.key === "/") return focusFilter(event);
      const page = PAGES.find(({ key }) => key === event.key.toLowerCase());
      if (page !== undefined && event.timeStamp - first.current < SECOND_KEY_MS) router.push(page.to);
      first.current = event.key.toLowerCase() === "g" ? event.timeStamp : -Infinity;
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [router, show]);
  return (
    <>
      <button type="button" className="keysbtn" onClick={show}>
        <kbd>?</kbd> keys
      </button>
      <Modal opened={open} onClose={close} title="Keys" transitionProps={{ duration: 0 }}>
        <dl className="keys">
          <Key keys={["Ctrl", "K"]} does="jump to a change, node, cluster or page" />
          <Key keys={["/"]} does="filter the list of this page" />
          {PAGES.map(({ label, key }) => (
            <Key key={key} keys={["G", key.toUpperCase()]} does={label} />
          ))}
          <Key keys={["?"]} does="this list" />
          <Key keys={["Esc"]} does="close what is open" />
        </dl>
      </Modal>
    </>
  );
}

function Key({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  );
}

function focusFilter(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
