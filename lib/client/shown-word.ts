/** "rolled_back" is "Rolled back", "IN_PROGRESS" is "In progress". */
export function shownWord(code: string): string {
  const words = code.replaceAll("_", " ").toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
