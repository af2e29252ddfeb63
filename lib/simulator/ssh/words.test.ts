import { expect, it } from "vitest";

import { plainWords } from "./words";

it.each([
  ["scontrol show node -o gpu[001-002]", ["scontrol", "show", "node", "-o", "gpu[001-002]"]],
  [`'scontrol' 'update' 'nodename=n1' 'reason=it'\\''s $HOME "x"'`, ["scontrol", "update", "nodename=n1", `reason=it's $HOME "x"`]],
  [`a "b c" d\\ e ''`, ["a", "b c", "d e", ""]],
])("%s is plain", (line, words) => expect(plainWords(line)).toEqual(words));

it.each(["a; b", "a | b", "a > f", "echo $HOME", 'echo "$HOME"', "echo `id`", "a &", "X=1 a", "echo 'open", "ls *", "", "a\nb"])(
  "%j needs a shell",
  (line) => expect(plainWords(line)).toBeNull(),
);
