import "./sign-in.css";

import { type Metadata } from "next";
import { redirect } from "next/navigation";

import { AccountForm } from "@/components/frame/account-form";
import { DemoPeople } from "@/components/frame/demo-people";
import { Mark } from "@/components/ui/mark";
import { paths, safeReturn } from "@/lib/client/paths";
import { loadSignIn } from "@/lib/server/load-sign-in";
import { currentPerson } from "@/lib/server/session";

export const metadata: Metadata = { title: "Sign in" };

type Props = { searchParams: Promise<{ to?: string | string[]; callbackUrl?: string; error?: string | string[] }> };

export default async function SignInPage({ searchParams }: Props) {
  const { to, error } = await searchParams;
  const target = safeReturn(typeof to === "string" ? to : undefined);
  const { demo, openIdName, record } = await loadSignIn();
  if (record !== null && (await currentPerson()) !== null) redirect(target);
  return (
    <main className="si">
      <div className="wm">
        <Mark />
        Clearance
      </div>
      <h1 className="answer">Sign in to see where each change stands and what is next.</h1>
      <p className="soft">Clearance decides, on evidence, whether a node may go back to work after maintenance.</p>
      <div className={demo === null ? "two one" : "two"}>
        {demo !== null && (
          <section className="sec">
            <header>
              <h2>Demo people</h2>
              <span className="meta">
                simulated data centre, {demo.clusters} clusters, {demo.nodes} nodes
              </span>
            </header>
            <DemoPeople people={demo.people} to={target} />
            <p className="note">
              They exist only in demo mode, which listens on loopback only. Sign-off and approval still need two different people.
            </p>
          </section>
        )}
        <section className="sec">
          <header>
            <h2>Your account</h2>
          </header>
          <AccountForm openIdName={openIdName} to={target} refused={error !== undefined} />
          <p className="note">No account? An admin adds you in the configuration.</p>
        </section>
      </div>
      <footer className="foot2">
        <span>Clearance 0.1{demo === null ? "" : ", demo mode"}</span>
        <span>record: {record === null ? "not reachable" : "reachable"}</span>
        <span>worker: {record === null ? "unknown" : `${record.workers} running`}</span>
        <a href={paths.health()}>{paths.health()}</a>
      </footer>
    </main>
  );
}
