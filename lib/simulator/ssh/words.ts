/** Splits a command line that uses no shell feature but quoting; null: it needs a real shell. */
export function plainWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? "";
    if (char === "'" || char === '"') {
      const end = line.indexOf(char, i + 1);
      const inner = line.slice(i + 1, end);
      if (end < 0 || (char === '"' && /[$`\\]/.test(inner))) return null;
      word = (word ?? "") + inner;
      i = end;
    } else if (char === "\\") {
      if (i + 1 >= line.length || line[i + 1] === "\n") return null;
      word = (word ?? "") + line[++i];
    } else if (char === " " || char === "\t") {
      if (word !== null) words.push(word);
      word = null;
    } else if (/[;&|<>()$`*?~#!{}\n\r]/.test(char)) return null;
    else word = (word ?? "") + char;
  }
  if (word !== null) words.push(word);
  return words.length === 0 || /^[A-Za-z_][A-Za-z0-9_]*=/.test(words[0] ?? "") ? null : words;
}
