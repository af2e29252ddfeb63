import type { Component } from "./observation";

export type ImageIdentity =
  | { readonly publisher: string; readonly offer: string; readonly sku: string; readonly version: string }
  | { readonly galleryVersionId: string };
/** Where a rebuilt node would get the version. `none`: it returns to the old one; firmware: both layers are not applicable (R1.6). */
export type Persistence =
  { readonly kind: "image" | "cloud-init" | "config-management"; readonly observe: string } | { readonly kind: "none" | "in_the_device" };
/** Host facts by which an image is recognised; without one the host layer of an image change stays unknown (R1.5). */
export type HostProof = readonly { readonly component: Component; readonly expect: string }[];
export type ChangeGoal = {
  readonly component: Component;
  readonly text: string;
  readonly image?: ImageIdentity;
  readonly hostProof?: HostProof;
  readonly persistence: Persistence;
};
