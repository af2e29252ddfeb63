/** "line 12, target.driver: ..." is about line 12; null where no line is named. */
export function lineOfPlace(place: string): number | null {
  const found = /^line (\d{1,7})\b/.exec(place);
  return found?.[1] === undefined ? null : Number(found[1]);
}
