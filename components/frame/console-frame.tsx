import { type ReactNode } from "react";

import { LiveProvider } from "@/components/live/live-provider";
import { LiveState } from "@/components/live/live-state";
import { Initials } from "@/components/ui/initials";
import { Mark } from "@/components/ui/mark";
import { paths } from "@/lib/client/paths";

import { ClusterPicker } from "./cluster-picker";
import { JumpButton } from "./jump-button";
import { Palette } from "./palette";
import { RailLinks } from "./rail-links";
import { Shortcuts } from "./shortcuts";
import { SignOut } from "./sign-out";

type Props = {
  person: { readonly name: string; readonly roles: readonly string[] };
  clusters: readonly { readonly id: string; readonly nodes: number }[];
  /** Entries of the rail with something that waits: label -> how many. */
  waiting: Readonly<Record<string, number>>;
  demo: boolean;
  children: ReactNode;
};

/** Rail and top bar around every page of the console. */
export function ConsoleFrame({ person, clusters, waiting, demo, children }: Props) {
  const roles = person.roles.filter((role) => role !== "viewer" || person.roles.length === 1).map((role) => role.replace("_", " "));
  return (
    <LiveProvider>
      <div className="frame">
        <a className="brand" href={paths.now()}>
          <Mark />
          Clearance
        </a>
        <header className="bar">
          <ClusterPicker clusters={clusters} />
          <JumpButton />
          <span className="grow" />
          <LiveState />
          <span className="person">
            <Initials name={person.name} />
            <span className="w">
              {person.name}, {roles.join(", ")}
            </span>
          </span>
          <SignOut />
        </header>
        <nav className="rail" aria-label="Console">
          <RailLinks waiting={waiting} />
          <span className="foot">
            {demo && <span>Demo mode</span>}
            <Shortcuts />
          </span>
        </nav>
        <main className="page">{children}</main>
        <Palette />
      </div>
    </LiveProvider>
  );
}
