/** Reading on where something is wrong: the value without what broke a rule, and what of it is in doubt for that. */
import { formatPath, type Path } from './fault.ts';

/** A place that broke a rule. */
export interface Broken {
  readonly path: Path;
  /** What stands there can be read on with; else the member goes, and an item of a list gives way to `item`. */
  readonly isKept?: boolean;
  /** What the rules would allow there and that says nothing: places in lists stay what they are. */
  readonly item?: unknown;
  /** A name nobody knows: it may have been meant for any member that its neighbours lack. */
  readonly isUnknownName?: boolean;
}

/** What of a source is in doubt, by paths as `formatPath` shows them. */
export interface Unread {
  /** Whatever broke a rule, and everything that holds it. */
  readonly touched: ReadonlySet<string>;
  /** Objects of which nobody can say what the members are that they lack. */
  readonly unsure: ReadonlySet<string>;
}

/** Adds to what is in doubt already. */
export const addUnread = (before: Unread | undefined, broken: readonly Broken[]): Unread => {
  const touched = new Set(before?.touched);
  const unsure = new Set(before?.unsure);
  for (const { path, isUnknownName } of broken) {
    for (let length = path.length; length >= 0; length -= 1) touched.add(formatPath(path.slice(0, length)));
    unsure.add(formatPath(path));
    if (isUnknownName || path.at(-1) === 'remove') unsure.add(formatPath(path.slice(0, -1)));
  }
  return { touched, unsure };
};

/** Whether it is known what stands under a member of the object at `path`, or that nothing does. */
export const isRead = (
  { touched, unsure }: Unread,
  path: Path,
  member: string,
  isPresent: boolean,
): boolean => !touched.has(formatPath([...path, member])) && (isPresent || !unsure.has(formatPath(path)));

/** A value without what broke a rule; the rest stands where it stood. What is given is left as it is. */
export const withoutBroken = (value: unknown, broken: readonly Broken[]): unknown => {
  const root = { value };
  const own = new Set<unknown>([root]);
  for (const { path, isKept, item } of broken) if (!isKept) replace(root, ['value', ...path], item, own);
  return root.value ?? {};
};

/** @param own what was copied already, and so can be changed */
const replace = (root: object, path: Path, item: unknown, own: Set<unknown>): void => {
  let holder: object = root;
  for (const step of path.slice(0, -1)) {
    const held: unknown = Reflect.get(holder, step);
    if (!isHolder(held)) return; // it went with what holds it
    const copy = own.has(held) ? held : copyOf(held);
    own.add(copy);
    Reflect.set(holder, step, copy);
    holder = copy;
  }
  const last = path.at(-1) ?? '';
  if (Array.isArray(holder)) Reflect.set(holder, last, item);
  else Reflect.deleteProperty(holder, last);
};

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

const copyOf = (value: object): object => (Array.isArray(value) ? [...value] : { ...value });

/** What stands at a path, or undefined. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (holder, step) =>
      isHolder(holder) && Object.hasOwn(holder, step) ? Reflect.get(holder, step) : undefined,
    value,
  );
