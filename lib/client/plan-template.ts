/** What the editor of a new change begins with: a plan that reads and plans as it stands, once its cluster and nodes are the site's. */
export function planTemplate(place: {
  readonly cluster: string;
  readonly nodes: string;
  readonly start: string;
  readonly end: string;
}): string {
  return `apiVersion: clearance/v1
title: GPU driver 570.172.08 on ${place.cluster}
ticket: CHG0000000
cluster: ${place.cluster}
type: gpu_driver
target:
  nodes: ${place.nodes}
  driver: 570.172.08
batchSize: 4
interBatchDelay: 5m
canaries: {perClass: 1}
advance: manual
windows:
  - {start: ${place.start}, end: ${place.end}, timezone: UTC}
drain: {deadline: 2h, gracePeriod: 120s, onDeadline: ask}
persistence: {kind: none}
update:
  - {name: install, on: node, run: "install-driver 570.172.08", timeout: 30m}
validate:
  - {name: driver version, run: "nvidia-smi --query-gpu=driver_version --format=csv,noheader", expect: {every: 570.172.08}}
  - {name: dcgm, run: "dcgmi diag -r 2 -j", parser: dcgm-diag}
telemetry:
  - {name: remapped rows, query: 'DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS{Hostname="{node}"}', expect: {notAbove: before}, seriesPerNode: 8, freshness: 60s, settle: 5m}
rollback:
  components: [{name: driver, capability: tested, run: "install-driver {saved}"}]
people: {operator: [], workloadOwner: [], approver: [], secondEngineer: []}
`;
}
