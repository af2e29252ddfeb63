"use client";

import { Spotlight } from "@mantine/spotlight";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { JUMP_GROUPS, pagesNamed, type Jump } from "@/lib/client/jumps";
import { paths } from "@/lib/client/paths";

/** Ctrl-K: jump to a page, change, node or cluster by a part of its name. */
export function Palette() {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed, 120);
  const found = useQuery({
    queryKey: ["jump", wanted],
    queryFn: ({ signal }) => ask(wanted, signal),
    enabled: open,
    placeholderData: (before) => before,
  });
  const jumps = [...pagesNamed(typed), ...(found.data ?? [])];
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      shortcut={["mod + K"]}
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0 }}
      maxHeight={480}
      scrollable
    >
      <Spotlight.Search
        placeholder="Jump to change, node, page"
        aria-label="Jump to change, node, page"
        leftSection={<IconSearch size={16} stroke={1.5} aria-hidden="true" />}
      />
      <Spotlight.ActionsList>
        {JUMP_GROUPS.map((group) => {
          const here = jumps.filter((jump) => jump.group === group);
          return (
            here.length > 0 && (
              <Spotlight.ActionsGroup key={group} label={group}>
                {here.map(({ to, label, stands }) => (
                  <Spotlight.Action key={to} onClick={() => router.push(to)}>
                    <span className="jumpto">
                      <span>{label}</span>
                      <span className="muted">{stands}</span>
                    </span>
                  </Spotlight.Action>
                ))}
              </Spotlight.ActionsGroup>
            )
          );
        })}
        {jumps.length === 0 && (
          <Spotlight.Empty>
            {found.isError
              ? "The record cannot be reached; the pages are in the rail."
              : found.isFetching
                ? "Looking …"
                : "Nothing has this in its name."}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

async function ask(wanted: string, signal: AbortSignal): Promise<readonly Jump[]> {
  const response = await fetch(paths.jump(wanted), { signal });
  if (!response.ok) throw new Error(`answered ${response.status}`);
  return ((await response.json()) as { jumps: readonly Jump[] }).jumps;
}
