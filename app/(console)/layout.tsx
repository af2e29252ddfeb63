import "./plan.css";
import "./console.css";

import { type ReactNode } from "react";

import { ConsoleFrame } from "@/components/frame/console-frame";
import { loadFrame } from "@/lib/server/load-frame";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { person, clusters, waiting, demo } = await loadFrame();
  return (
    <ConsoleFrame person={person} clusters={clusters} waiting={waiting} demo={demo}>
      {children}
    </ConsoleFrame>
  );
}
