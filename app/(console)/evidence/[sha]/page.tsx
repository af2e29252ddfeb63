import { type Metadata } from "next";

import { Instant } from "@/components/ui/instant";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/client/paths";
import { loadEvidence } from "@/lib/server/load-evidence";

export const metadata: Metadata = { title: "Evidence" };

type Props = { params: Promise<{ sha: string }> };

/** Shown on the page at most; the download has all of it. */
const SHOWN_BYTES = 200_000;

export default async function EvidencePage({ params }: Props) {
  const { sha } = await params;
  const { bytes, mediaType, createdAt } = await loadEvidence(sha);
  const text = new TextDecoder("utf-8").decode(bytes.subarray(0, SHOWN_BYTES));
  return (
    <>
      <PageHead
        before={
          <>
            <a href={paths.changes()}>Changes</a> <span className="muted">/</span>
          </>
        }
        title="Evidence"
        answer={`${bytes.length.toLocaleString("en-GB")} bytes as they came.`}
        then={
          bytes.length > SHOWN_BYTES
            ? `The first ${SHOWN_BYTES.toLocaleString("en-GB")} are shown; download it for the rest.`
            : "Nothing is left out."
        }
        tools={
          <a className="btn small" href={`${paths.evidence(sha)}/raw`} download>
            Download
          </a>
        }
      >
        <dl className="factbar">
          <div>
            <dt>SHA-256</dt>
            <dd className="mono shafull">{sha}</dd>
          </div>
          <div>
            <dt>Kept</dt>
            <dd>
              <Instant iso={createdAt.toISOString()} />
            </dd>
          </div>
          <div>
            <dt>Kind</dt>
            <dd>{mediaType}</dd>
          </div>
        </dl>
      </PageHead>
      <Section title="Original bytes" meta="wrapped, otherwise unchanged">
        <pre className="raw" tabIndex={0}>
          {text}
        </pre>
      </Section>
    </>
  );
}
