import { MAX_DOCUMENT_BYTES } from "@/lib/core/kernel/document-tree";

/** What a request may weigh. */
export const PLAN_BYTES = MAX_DOCUMENT_BYTES;
export const EVIDENCE_BYTES = 16 * 1024 * 1024;
export const ACTION_BYTES = 512 * 1024;
