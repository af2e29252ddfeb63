/** Strings that somebody might send where a name or a sentence is expected. */
export const HOSTILE: Readonly<Record<string, string>> = {
  NUL: "a\u0000b",
  ANSI: "\u001b[31mred\u001b[0m",
  "right to left": "gpu001\u202e100upg",
  "half a surrogate": "a\ud800b",
  SQL: "'; drop table changes; --",
  HTML: "<script>alert(1)</script>",
  prototype: "__proto__",
  constructor: "constructor",
  shell: "$(touch /tmp/owned);`id`",
  template: "${7*7}{{7*7}}",
  format: "%s%n%00",
  path: "../../../../etc/passwd",
  "a line end": "a\r\nset-cookie: x=y",
  "very long": "x".repeat(100_000),
};
