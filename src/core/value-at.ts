/** Reading data of any form. */

/** What is under these names and positions, or undefined; never what a prototype holds (behaviour T10). */
export const valueAt = (value: unknown, ...steps: readonly (string | number)[]): unknown =>
  steps.reduce(
    (holder, step) =>
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
        ? Reflect.get(holder, step)
        : undefined,
    value,
  );
