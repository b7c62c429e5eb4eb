/** `repeat: N`: one row that stands for many, with `{n}` in its strings counting from 1. */

/** Stands for the number of the row. */
const PLACEHOLDER = '{n}';

/** Gives the n-th of a repeated value. What does not hold `{n}` is shared between all of them. */
type Nth<Value> = (n: number) => Value;

/** Prepares a value for repetition once, so that the n-th costs only what differs. */
export const repeater = <Value>(value: Value): Nth<Value> => compile(value) ?? (() => value);

/** Undefined where the value is the same for every n. */
const compile = <Value>(value: Value): Nth<Value> | undefined => {
  if (typeof value === 'string') return compileText(value) as Nth<Value> | undefined; // a text for a text
  if (Array.isArray(value)) return compileList(value) as Nth<Value> | undefined; // a list of the same for a list
  if (typeof value !== 'object' || value === null) return undefined;
  const moving = Object.entries(value).flatMap(([name, member]) => {
    const nth = compile<unknown>(member);
    return nth ? [{ name, nth }] : [];
  });
  if (moving.length === 0) return undefined;
  return (n) => {
    const copy = { ...value };
    for (const { name, nth } of moving) Reflect.set(copy, name, nth(n));
    return copy;
  };
};

const compileText = (text: string): Nth<string> | undefined =>
  text.includes(PLACEHOLDER) ? (n) => text.replaceAll(PLACEHOLDER, String(n)) : undefined;

const compileList = (list: readonly unknown[]): Nth<unknown[]> | undefined => {
  const nths = list.map((item) => compile(item));
  return nths.some((nth) => nth !== undefined)
    ? (n) => list.map((item, index) => nths[index]?.(n) ?? item)
    : undefined;
};
