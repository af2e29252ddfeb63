import { type Metadata } from "next";
import { Fragment } from "react";

import { PeopleTable } from "@/components/settings/people-table";
import { TokenForm } from "@/components/settings/token-form";
import { TokenTable } from "@/components/settings/token-table";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { loadSettings } from "@/lib/server/load-settings";

import { createTokenForm, revokeTokenForm } from "./actions";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { person, admin, people, tokens, workers, beatNow, now, about } = await loadSettings();
  const alive = workers.filter((worker) => worker.alive);
  const standing = tokens.filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now));
  return (
    <>
      <PageHead
        title="Settings"
        answer={`${alive.length === 0 ? "No worker is at work: nothing goes on" : `${alive.length} ${alive.length === 1 ? "worker is" : "workers are"} at work`}; ${standing.length} ${standing.length === 1 ? "token opens" : "tokens open"} the API${admin ? "" : " as you"}.`}
        then={
          <>
            Clusters and their systems are under <a href={paths.clusters()}>Clusters</a>.
          </>
        }
      />
      <Section title="Tokens" meta={admin ? "of everybody, because you administer" : "yours; with your roles at the time of each call"}>
        <TokenTable tokens={tokens} revoke={revokeTokenForm} now={now} />
      </Section>
      <Section title="Make a token" meta={`for ${person.name}, for the CLI and the API`}>
        <TokenForm act={createTokenForm} />
      </Section>
      <Section title="People" meta={`${people.length} known`}>
        <PeopleTable people={people} />
      </Section>
      <Section title="About">
        <dl className="kv panel pad">
          <dt>Clearance</dt>
          <dd>{about.version}</dd>
          <dt>Kind</dt>
          <dd>
            {about.demo
              ? "demo: a simulated data centre, and people who sign in by one click"
              : "a site of its own, by its configuration file"}
          </dd>
          {workers.map((worker) => (
            <Fragment key={worker.id}>
              <dt>Worker</dt>
              <dd>
                <span className="mono">{worker.id}</span>, {worker.alive ? "alive" : "silent"}, last beat {ageText(worker.beatAt, beatNow)}
              </dd>
            </Fragment>
          ))}
        </dl>
      </Section>
    </>
  );
}
