/** Every address of the console; nobody writes one by hand. */
export const paths = {
  now: (): string => "/now",
  live: (): string => "/live",
  jump: (wanted: string): string => withQuery("/jump", { wanted }),
  signIn: (to?: string): string => (to === undefined ? "/sign-in" : `/sign-in?to=${encodeURIComponent(to)}`),
  changes: (filter: { readonly cluster?: string; readonly show?: string } = {}): string => withQuery("/changes", filter),
  newChange: (): string => "/changes/new",
  change: (id: string, node?: string): string =>
    withQuery(`/changes/${encodeURIComponent(id)}`, { node }, node === undefined ? "" : "#board"),
  handoff: (id: string): string => `/changes/${encodeURIComponent(id)}/handoff`,
  handoffs: (): string => "/handoff",
  canary: (id: string, report: string): string => withQuery(`/changes/${encodeURIComponent(id)}/canary`, { report }),
  audit: (id: string): string => `/changes/${encodeURIComponent(id)}/audit`,
  reading: (id: string, report: string): string => withQuery(`/changes/${encodeURIComponent(id)}/reading`, { report }),
  evidence: (sha: string): string => `/evidence/${encodeURIComponent(sha)}`,
  acceptanceJobs: (): string => "/acceptance-jobs",
  inventory: (filter: Readonly<Record<string, string | undefined>> = {}): string => withQuery("/inventory", filter),
  node: (cluster: string, name: string): string => `/inventory/${encodeURIComponent(cluster)}/${encodeURIComponent(name)}`,
  settings: (): string => "/settings",
  clusters: (): string => "/clusters",
  health: (): string => "/api/v1/health",
};

function withQuery(path: string, query: Readonly<Record<string, string | undefined>>, fragment = ""): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "");
  return `${path}${given.length === 0 ? "" : `?${new URLSearchParams(given)}`}${fragment}`;
}

/** Where a person may be sent after signing in: a path of this console, never another site. */
export function safeReturn(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(to) && !to.startsWith(paths.signIn()) ? to : paths.changes();
}
