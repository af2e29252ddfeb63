import { queryFor, seriesOf } from "@/lib/core/check/node-series";
import { numberFrom } from "@/lib/core/check/number-text";
import type { SeriesSeen } from "@/lib/core/check/series";
import type { InstantAnswer, Metrics } from "@/lib/ports/metrics";
import type { NewEvidence, NewObservation } from "@/lib/ports/store";
import type { ClusterWorld, Deps } from "../deps";
import { evidenceOf } from "../perform/evidence-of";

const SOURCE = "prometheus";

type Wanted = Awaited<ReturnType<Deps["store"]["wantedTelemetry"]>>[number];
type Epochs = Pick<NewObservation, "hostEpoch" | "modelEpoch">;
type Answer = {
  readonly answer: InstantAnswer | null;
  readonly times: ReadonlyMap<string, string>;
  readonly ups: ReadonlyMap<string, number>;
  readonly error: string | null;
};

/** One query per check name and 200 nodes; for each also the samples' own times and their targets' `up` (R2.3). No answer is an answer too: it is kept as such. */
export async function observePrometheus(deps: Deps, world: ClusterWorld, clusterId: string): Promise<void> {
  const startedAt = await deps.clock.now();
  const { metrics } = world;
  if (metrics === null) {
    await deps.store.failRead(clusterId, SOURCE, startedAt, "this cluster's configuration names no metrics source");
    return;
  }
  const alive = await metrics.ping();
  if (!alive.ok) {
    await deps.store.failRead(clusterId, SOURCE, startedAt, alive.error.because);
    return;
  }
  // The epochs are read before any question is sent: an answer from before a reboot carries the old number however late it arrives.
  const subjects = await deps.store.subjects(clusterId);
  const epochsOf = new Map(subjects.map(({ subjectId, hostEpoch, modelEpoch }) => [subjectId, { hostEpoch, modelEpoch }]));
  const evidence: NewEvidence[] = [];
  const observations: NewObservation[] = [];
  for (const wanted of await deps.store.wantedTelemetry(clusterId)) {
    for (const part of queryFor(
      wanted.query,
      wanted.subjects.map((subject) => subject.name),
    )) {
      const read = await ask(metrics, part.query);
      const raw = read.answer === null ? null : evidenceOf(deps.hash, read.answer.raw, "application/json");
      if (raw !== null) evidence.push(raw);
      for (const subject of wanted.subjects.filter((one) => part.nodes.includes(one.name))) {
        const epochs = epochsOf.get(subject.subjectId) ?? { hostEpoch: 0, modelEpoch: 0 };
        observations.push(seen(world, wanted, subject, read, { query: part.query, startedAt, sha: raw?.sha256 ?? null, epochs }));
      }
    }
  }
  await deps.store.recordRead({
    clusterId,
    source: SOURCE,
    startedAt,
    complete: true,
    listed: observations.length,
    evidence,
    observations,
    boots: [],
    nextInMs: 0,
  });
}

/** The three questions of one read: value, time of the sample, and whether its target is up. */
async function ask(metrics: Metrics, query: string): Promise<Answer> {
  const [value, time] = await Promise.all([metrics.instant(query), metrics.instant(`timestamp(${query})`)]);
  if (!value.ok) return { answer: null, times: new Map(), ups: new Map(), error: value.error.because };
  const times = new Map((time.ok ? time.value.samples : []).map((sample) => [labelKey(sample.labels), sample.text]));
  const instances = [...new Set(value.value.samples.flatMap((sample) => sample.labels["instance"] ?? []))];
  const ups = new Map<string, number>();
  for (let at = 0; at < instances.length; at += 200) {
    const pattern = instances
      .slice(at, at + 200)
      .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("|");
    const up = await metrics.instant(`up{instance=~${JSON.stringify(pattern)}}`);
    for (const sample of up.ok ? up.value.samples : []) {
      if (sample.text === "0" || sample.text === "1") ups.set(`${sample.labels["job"]}/${sample.labels["instance"]}`, Number(sample.text));
    }
  }
  return { answer: value.value, times, ups, error: null };
}

/** A sample without its metric name: `timestamp()` drops it. */
const labelKey = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.entries(labels)
      .filter(([name]) => name !== "__name__")
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );

function seen(
  world: ClusterWorld,
  wanted: Wanted,
  subject: Wanted["subjects"][number],
  read: Answer,
  asked: { readonly query: string; readonly startedAt: Date; readonly sha: NewObservation["evidenceSha"]; readonly epochs: Epochs },
): NewObservation {
  const samples = read.answer === null ? [] : seriesOf(subject.name, read.answer.samples, world.nodeLabel);
  const first = samples[0];
  const value: SeriesSeen = {
    query: asked.query,
    readAt: asked.startedAt.toISOString(),
    up: first === undefined ? null : (read.ups.get(`${first.labels["job"]}/${first.labels["instance"]}`) ?? null),
    warnings: [...(read.answer?.warnings ?? [])],
    samples: samples.map((sample) => ({
      entity: sample.labels["gpu"] ?? "",
      labels: { ...sample.labels },
      text: textOf(sample),
      sampledAt: instantOf(read.times.get(labelKey(sample.labels))),
    })),
    error: read.error,
  };
  return {
    subjectId: subject.subjectId,
    field: "telemetry",
    component: "none",
    source: `${SOURCE}/${wanted.name}`,
    kind: read.error === null ? "value" : "unreadable",
    text: value.samples.map((sample) => `${sample.entity}=${sample.text}`).join(" "),
    value,
    ...asked.epochs,
    observedAt: asked.startedAt,
    request: asked.query,
    observer: "observe prometheus",
    evidenceSha: asked.sha,
    changeId: null,
  };
}

/** As printed; but a vendor's "no value" number is kept as the words it stands for, or somebody would draw it (the answer itself is the evidence). */
function textOf({ labels, text }: InstantAnswer["samples"][number]): string {
  const number = numberFrom(text, labels["__name__"] ?? "");
  return number.is === "no_number" && number.reason === "sentinel" ? number.shown : text;
}

/** Seconds since 1970 as the source prints them; null when that is no instant. */
function instantOf(text: string | undefined): string | null {
  const seconds = Number(text ?? "NaN");
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000).toISOString() : null;
}
