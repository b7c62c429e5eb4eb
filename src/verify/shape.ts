/** The shape of a body: which members it has and of what type, without their values. */

/** Type by place, such as `connected_accounts[].id`: `string`; several types of one place are joined by `|`. */
export type Shape = Readonly<Record<string, string>>;

export const shapeOf = (body: unknown): Shape => {
  const types = new Map<string, Set<string>>();
  for (const [place, type] of placesIn(body, '')) types.set(place, (types.get(place) ?? new Set()).add(type));
  return Object.fromEntries(
    [...types]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([place, found]) => [place, [...found].sort().join('|')]),
  );
};

function* placesIn(value: unknown, place: string): Generator<readonly [string, string]> {
  if (value === undefined) return;
  yield [place || 'body', typeOf(value)];
  if (Array.isArray(value)) {
    for (const item of value) yield* placesIn(item, `${place}[]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      yield* placesIn(member, place ? `${place}.${name}` : name);
  }
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
};

/** How two shapes differ, a sentence each. Items of a list are compared only where both lists have some. */
export const shapeDifferences = (here: Shape, there: Shape): readonly string[] => {
  const places = [...new Set([...Object.keys(here), ...Object.keys(there)])].sort();
  return places
    .filter(
      (place) =>
        here[place] !== there[place] && !isInUnknownList(place, here) && !isInUnknownList(place, there),
    )
    .map(
      (place) => `${place} is ${here[place] ?? 'absent'} here, ${there[place] ?? 'absent'} in the recording`,
    );
};

/** Whether the place lies within the items of a list that had none. */
const isInUnknownList = (place: string, shape: Shape): boolean => {
  for (let end = place.indexOf('[]'); end >= 0; end = place.indexOf('[]', end + 2)) {
    if (shape[place.slice(0, end)] === 'array' && shape[place.slice(0, end + 2)] === undefined) return true;
  }
  return false;
};
