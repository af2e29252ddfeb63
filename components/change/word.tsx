import {
  IconAlertHexagon,
  IconArrowBackUp,
  IconCheck,
  IconChecks,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconDownload,
  IconFlag,
  IconGauge,
  IconHandStop,
  IconHelpHexagon,
  IconListCheck,
  IconLock,
  IconPlayerTrackNext,
  IconPower,
  IconProgress,
  IconTrendingDown,
  IconUpload,
  type Icon,
} from "@tabler/icons-react";

import { Status, type Tone } from "@/components/ui/status";

const WORDS: Readonly<Record<string, readonly [Tone, Icon]>> = {
  Pass: ["pass", IconCheck],
  Fail: ["fail", IconCircleX],
  Unresolved: ["open", IconHelpHexagon],
  Waived: ["waived", IconFlag],
  Waiting: ["none", IconCircleDashed],
  "Not applicable": ["none", IconCircleMinus],
  Pending: ["none", IconCircleDashed],
  Preflight: ["run", IconListCheck],
  "In progress": ["run", IconProgress],
  Rollback: ["open", IconArrowBackUp],
  Completed: ["pass", IconChecks],
  Degraded: ["fail", IconTrendingDown],
  "Not attempted": ["none", IconCircleDashed],
  Draining: ["run", IconDownload],
  Updating: ["run", IconUpload],
  Rebooting: ["run", IconPower],
  Validating: ["run", IconGauge],
  Accepted: ["pass", IconCircleCheck],
  Failed: ["fail", IconCircleX],
  "Rolled back": ["quiet", IconArrowBackUp],
  "Rollback failed": ["fail", IconCircleX],
  Withheld: ["waived", IconHandStop],
  Skipped: ["quiet", IconPlayerTrackNext],
  Deferred: ["quiet", IconClock],
  Released: ["quiet", IconLock],
  "Not running": ["quiet", IconPower],
  "Not at provider": ["quiet", IconCircleMinus],
  Matches: ["pass", IconCheck],
  Differs: ["fail", IconCircleX],
  "Not yet": ["none", IconCircleDashed],
  Unknown: ["open", IconHelpHexagon],
  Done: ["pass", IconCheck],
  Open: ["open", IconAlertHexagon],
  Later: ["none", IconCircleDashed],
  Closed: ["quiet", IconLock],
  Running: ["run", IconProgress],
  Succeeded: ["pass", IconCheck],
  Decided: ["quiet", IconCheck],
  Withdrawn: ["quiet", IconPlayerTrackNext],
  "On hold": ["open", IconHandStop],
  Stopped: ["fail", IconHandStop],
  "In service": ["pass", IconCheck],
  Drained: ["open", IconDownload],
  Down: ["fail", IconCircleX],
  "Powered down": ["quiet", IconPower],
  Absent: ["open", IconHelpHexagon],
};

/** One word of the vocabulary with its icon and colour; `count` says of how many, `settled` that it waits for nobody. */
export function Word({ word, count, settled }: { word: string; count?: number; settled?: boolean }) {
  const [tone, Glyph] = WORDS[word] ?? (["open", IconHelpHexagon] as const);
  return (
    <Status tone={tone} Glyph={Glyph} settled={settled ?? false}>
      {count === undefined ? word : `${count} ${word.toLowerCase()}`}
    </Status>
  );
}
