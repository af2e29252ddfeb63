const WIDTH = 20;

/** A text whose plain order is the order people expect: lower case, every run of digits padded, so gpu9 comes before gpu10. */
export const sortName = (name: string): string =>
  name.toLowerCase().replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, "").padStart(WIDTH, "0"));

const plain = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A sorted copy; each name is prepared once, which matters from some thousand names on. */
export function sortedByName<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, name: nameOf(item), key: sortName(nameOf(item)) }));
  return keyed.sort((a, b) => plain(a.key, b.key) || plain(a.name, b.name)).map((k) => k.item);
}

/** Comparator by `sortName`; names that differ only in case or padding fall back to their own characters, so the order is total. */
export const byName = (a: string, b: string): number => plain(sortName(a), sortName(b)) || plain(a, b);
