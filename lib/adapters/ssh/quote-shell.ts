/** An argument vector as one line for a POSIX shell: every argument arrives exactly as given, whatever it holds (NUL excepted: no program can get one). */
export function quoteShell(argv: readonly string[]): string {
  return argv.map(quoteOne).join(" ");
}

const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/;

function quoteOne(argument: string): string {
  if (argument.includes("\0")) throw new Error("an argument for a shell must not contain a NUL character");
  // "=" is left out of PLAIN: a first word such as A=1 would be an assignment
  return PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
