/** Reading data of any form. */

/** What a text holds as JSON; undefined if it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What is under these names and positions, or undefined; never what a prototype holds (behaviour T10). */
export const valueAt = (value: unknown, ...steps: readonly (string | number)[]): unknown =>
  steps.reduce(
    (holder, step) =>
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
        ? Reflect.get(holder, step)
        : undefined,
    value,
  );
