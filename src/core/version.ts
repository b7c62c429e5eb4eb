/** Versions of immutable rows: each row that is written gets a version that no other row has. */

const versions = new WeakMap<object, string>();
let last = 0;

/** The version of a row. It stays the same until the row is written again. */
export const versionOf = (row: object): string => {
  const known = versions.get(row);
  if (known !== undefined) return known;
  last += 1;
  versions.set(row, String(last));
  return String(last);
};
