import type { Reading } from "@/lib/core/check/reading";
import { readDcgmDiag } from "./dcgm-diag";
import { readNcclTests } from "./nccl-tests";
import { readNvidiaSmi } from "./nvidia-smi";
import { readPlainText } from "./plain-text";

/** Bytes a tool wrote, as facts and problems. Pure; hostile input gives a reading that cannot pass, never an exception. */
export type Parser = (bytes: Uint8Array) => Reading;
export type ParserName = "nccl-tests" | "dcgm-diag" | "nvidia-smi" | "text";

export const PARSERS: Readonly<Record<ParserName, Parser>> = {
  "nccl-tests": readNcclTests,
  "dcgm-diag": readDcgmDiag,
  "nvidia-smi": readNvidiaSmi,
  text: readPlainText,
};

/** null: this version has no parser of that name. */
export const parserNamed = (name: string): Parser | null => (Object.hasOwn(PARSERS, name) ? PARSERS[name as ParserName] : null);
