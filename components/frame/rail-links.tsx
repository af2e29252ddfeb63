"use client";

import {
  IconAdjustments,
  IconArrowsExchange,
  IconClipboardCheck,
  IconListDetails,
  IconPlus,
  IconServer2,
  IconSunrise,
  IconTopologyStar3,
} from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";

import { paths } from "@/lib/client/paths";

/** An entry appears here when its page exists. */
const ENTRIES = [
  { label: "Now", to: paths.now(), Icon: IconSunrise },
  { label: "Changes", to: paths.changes(), Icon: IconListDetails },
  { label: "New change", to: paths.newChange(), Icon: IconPlus },
  { label: "Inventory", to: paths.inventory(), Icon: IconServer2 },
  { label: "Handoff", to: paths.handoffs(), Icon: IconArrowsExchange },
  { label: "Acceptance jobs", to: paths.acceptanceJobs(), Icon: IconClipboardCheck },
  { label: "Clusters", to: paths.clusters(), Icon: IconTopologyStar3 },
  { label: "Settings", to: paths.settings(), Icon: IconAdjustments },
];

/** The rail's entries; the one that fits the address best is the current one. */
export function RailLinks({ waiting }: { waiting: Readonly<Record<string, number>> }) {
  const at = usePathname();
  const fits = ENTRIES.filter(({ to }) => at === to || at.startsWith(`${to}/`));
  const current = fits.sort((a, b) => b.to.length - a.to.length)[0];
  return ENTRIES.map(({ label, to, Icon }) => (
    <Link key={to} href={to} prefetch={false} aria-current={to === current?.to ? "page" : undefined}>
      <Icon className="i" size={16} stroke={1.5} aria-hidden="true" />
      {label}
      {(waiting[label] ?? 0) > 0 && <span className="n">{waiting[label]}</span>}
    </Link>
  ));
}
