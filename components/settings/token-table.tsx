import { Instant } from "@/components/ui/instant";
import { ageText } from "@/lib/client/age-text";
import { type FormAction } from "@/lib/client/form-state";

import { RevokeForm } from "./revoke-form";

type Token = {
  readonly id: string;
  readonly personId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

/** Tokens, newest first, those that opened something once too. */
export function TokenTable({ tokens, revoke, now }: { tokens: readonly Token[]; revoke: FormAction; now: Date }) {
  if (tokens.length === 0) return <p className="panel pad soft">There is no token yet. One is needed for the CLI and the API.</p>;
  return (
    <div className="tw" tabIndex={0} role="region" aria-label="Tokens">
      <table>
        <thead>
          <tr>
            <th>Token</th>
            <th>Of</th>
            <th>May</th>
            <th>Made</th>
            <th>Last used</th>
            <th>Ends</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <th scope="row">{token.name}</th>
              <td className="mono">{token.personId}</td>
              <td>{token.scopes.includes("write") ? "read and act" : "read"}</td>
              <td className="nw">{momentOf(token.createdAt, now)}</td>
              <td className="nw">{token.lastUsedAt === null ? "never" : momentOf(token.lastUsedAt, now)}</td>
              <td className="nw">{endOf(token, now)}</td>
              <td>{isStanding(token, now) && <RevokeForm act={revoke} id={token.id} name={token.name} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const momentOf = (at: Date, now: Date) => <Instant iso={at.toISOString()} age={ageText(at, now)} />;
const isStanding = ({ revokedAt, expiresAt }: Token, now: Date): boolean => revokedAt === null && (expiresAt === null || expiresAt > now);

function endOf({ revokedAt, expiresAt }: Token, now: Date) {
  if (revokedAt !== null) return <>revoked {momentOf(revokedAt, now)}</>;
  if (expiresAt === null) return "never";
  return expiresAt > now ? <Instant iso={expiresAt.toISOString()} /> : <>ended {momentOf(expiresAt, now)}</>;
}
