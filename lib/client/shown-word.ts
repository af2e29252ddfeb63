/** "rolled_back" is "Rolled back", "IN_PROGRESS" is "In progress". */
export function shownWord(code: string): string {
  const words = code.replaceAll("_", " ").toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Where a change stands, behind its state as a word: the state is not said twice. */
export function afterState(stands: string, state: string): string {
  const rest = stands.startsWith(`${state}: `) || stands.startsWith(`${state}, `) ? stands.slice(state.length + 2) : stands;
  return rest.slice(0, 1).toUpperCase() + rest.slice(1);
}
