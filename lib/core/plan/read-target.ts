import { complain, isMissing, readEntries, readItems, readMap, readOptionalText, readText, shown } from "@/lib/core/kernel/document-form";
import type { Field } from "@/lib/core/kernel/document-form";
import { expandHostlist } from "@/lib/core/kernel/hostlist";
import type { MaintenanceTypeName, Plan } from "./plan";

const VERSION_KEYS = ["driver", "toolkit", "firmware", "kernel"] as const;
type VersionKey = (typeof VERSION_KEYS)[number];
/** Host facts by which an image is recognised (R1.5). */
const PROOF_KEYS = ["osRelease", "kernel", "driver", "toolkit", "rdma", "firmware"] as const;

const VERSION = /^[A-Za-z0-9][A-Za-z0-9._+:~-]*$/;
const FLOATING = /^(?:latest|newest|current|stable|lts|any)$|(?:^|[._-])[x*](?:$|[._-])/i;
const IMAGE_VERSION = /^\d+\.\d+\.\d+$/;
const GALLERY_VERSION = /^\/.+\/(?:galleries|sharedgalleries|communitygalleries)\/[^/]+\/images\/[^/]+\/versions\/\d+\.\d+\.\d+$/i;

/** What is to be true at the end, and on which nodes. A version that can move, or an image that is not fully named, is refused (R1.4). */
export function readTarget(field: Field, type: MaintenanceTypeName, versionKey: VersionKey | null): Plan["target"] {
  if (isMissing(field)) complain(field, "target is missing: which nodes, and which version.");
  const f = readMap(field, ["nodes", "selector", ...VERSION_KEYS, "image", "hostProof"]);
  for (const key of VERSION_KEYS) {
    if (key !== versionKey && f[key].node !== null)
      complain(f[key], `${type} names its version as target.${versionKey ?? "image"}, not target.${key}.`);
  }
  if (versionKey !== null) {
    for (const key of ["image", "hostProof"] as const) {
      if (f[key].node !== null) complain(f[key], `target.${key} belongs to type vmss_image.`);
    }
  }
  return {
    ...readWhich(field, f.nodes, f.selector),
    version: versionKey === null ? null : readVersion(f[versionKey]),
    image: versionKey === null ? readImage(f.image) : null,
    hostProof: versionKey === null ? readProof(f.hostProof) : {},
  };
}

function readWhich(target: Field, nodes: Field, selector: Field): Pick<Plan["target"], "nodes" | "selector"> {
  const [noNodes, noSelector] = [isMissing(nodes), isMissing(selector)];
  if (noNodes && noSelector && !isMissing(target)) complain(target, "target needs nodes (a host list) or a selector.");
  if (!noNodes && !noSelector) complain(selector, "target has both nodes and a selector: keep one.");
  const list = noNodes
    ? null
    : readItems(nodes, 10_000, true)
        .map((item) => readText(item, { max: 100_000 }))
        .join(",");
  if (list !== null) {
    const names = expandHostlist(list);
    if (!names.ok) complain(nodes, names.error.because);
  }
  if (noSelector) return { nodes: list, selector: null };
  const s = readMap(selector, ["partition", "class", "scaleSet"]);
  const given = Object.entries(s).flatMap(([key, at]) => (isMissing(at) ? [] : [[key, readText(at)] as const]));
  if (given.length === 0) complain(selector, "target.selector selects by partition, class or scaleSet: name at least one.");
  return { nodes: list, selector: Object.fromEntries(given) };
}

function readVersion(field: Field): string {
  const text = readText(field, { max: 128, pattern: VERSION, what: "an exact version" });
  if (FLOATING.test(text)) complain(field, `${shown(text)} is a floating version, not an approved pin: name the exact one.`);
  return text;
}

function readImage(field: Field): Plan["target"]["image"] {
  if (isMissing(field)) {
    complain(field, "target.image is missing: publisher, offer, sku and version, or galleryVersionId.");
    return null;
  }
  const f = readMap(field, ["publisher", "offer", "sku", "version", "galleryVersionId"]);
  if (f.galleryVersionId.node !== null) {
    const others = [f.publisher, f.offer, f.sku, f.version].filter((part) => part.node !== null);
    for (const other of others) complain(other, "An image is named by galleryVersionId or by publisher, offer, sku and version, not both.");
    return {
      galleryVersionId: readText(f.galleryVersionId, {
        max: 1000,
        pattern: GALLERY_VERSION,
        what: "the id of one gallery image version (…/versions/1.2.3)",
      }),
    };
  }
  const version = readText(f.version, { max: 64 });
  if (/^latest$/i.test(version)) complain(f.version, "latest is a floating version, not an approved pin: name the exact one.");
  else if (version !== "" && !IMAGE_VERSION.test(version))
    complain(f.version, `target.image.version must be exact, such as 24.09.02, not ${shown(version)}.`);
  return { publisher: readText(f.publisher), offer: readText(f.offer), sku: readText(f.sku), version };
}

function readProof(field: Field): Record<string, string> {
  const proof: Record<string, string> = {};
  for (const entry of readEntries(field, 16)) {
    if (!(PROOF_KEYS as readonly string[]).includes(entry.key))
      complain(entry.field, `target.hostProof knows ${PROOF_KEYS.join(", ")}, not ${shown(entry.key)}.`);
    const text = readOptionalText(entry.field);
    if (text === null) complain(entry.field, `${entry.field.path} is missing.`);
    else proof[entry.key] = text;
  }
  return proof;
}
