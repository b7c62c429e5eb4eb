/** Rules that hold for any data, before anyone asks what it means (behaviour T10). */
import type { Path } from './problem.ts';

/** Nothing in a scenario is deeper than this; free-form settings of a connector have room enough. */
export const DEEPEST = 64;

/** Values in one file or body, at any depth: more would take too long to look at. */
const MOST_VALUES = 10_000_000;

export const TOO_DEEP = `is nested deeper than ${DEEPEST} levels`;

/** Calls `report` for every place that breaks such a rule. */
export const checkData = (root: unknown, report: (path: Path, message: string) => void): void => {
  let values = 0;
  const check = (value: unknown, path: Path): void => {
    values += 1;
    if (typeof value !== 'object' || value === null || values > MOST_VALUES) return;
    if (path.length > DEEPEST) report(path, TOO_DEEP);
    else if (Array.isArray(value))
      for (let index = 0; index < value.length; index += 1) check(value[index], [...path, index]);
    else checkMembers(value, path);
  };
  const checkMembers = (value: object, path: Path): void => {
    for (const [name, member] of Object.entries(value)) {
      const at = [...path, name];
      if (name === '__proto__') report(at, 'the name __proto__ cannot be used; choose another name');
      check(member, at);
    }
  };
  check(root, []);
  if (values > MOST_VALUES) report([], `holds more than ${MOST_VALUES} values`);
};
