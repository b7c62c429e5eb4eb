/** Reading and writing plain objects. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [member: string]: JsonValue };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined if it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The value at the end of a path of names and positions, or undefined. Ignores inherited members (behaviour T10). */
export const valueAt = (value: unknown, ...steps: readonly (string | number)[]): unknown =>
  steps.reduce(
    (holder, step) =>
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
        ? Reflect.get(holder, step)
        : undefined,
    value,
  );

/** The steps of a JSON pointer such as `/users/0/email`. */
export const stepsOfPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

export const hasMembers = (value: object): boolean => Object.keys(value).length > 0;

/** Turns each member that can be undefined into an optional one, because rows and answers leave out absent members. */
export type Defined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/** A copy of an object without its undefined members. */
export const defined = <Members extends object>(members: Members): Defined<Members> => {
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) present[name] = value;
  return present as Defined<Members>; // the cast is safe: `Defined` makes the removed members optional
};

/** An object with the same names, and a member made from each of its members. */
export const mapMembers = <Member, Made>(
  members: Readonly<Record<string, Member>>,
  make: (member: Member, name: string) => Made,
): Record<string, Made> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, make(member, name)]));

/** Puts a value in place of the getter that has made it. */
export const keep = <Value>(holder: object, name: string, value: Value): Value => {
  Object.defineProperty(holder, name, { value, enumerable: true });
  return value;
};

/** Creates a function that makes the value for a key on first use, and keeps it. */
export const lazily = <Key, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const kept = new Map<Key, Value>();
  return (key) => {
    if (!kept.has(key)) kept.set(key, make(key));
    return kept.get(key) as Value; // the cast is safe: `kept` has the key
  };
};
