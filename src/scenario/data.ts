/** Rules that hold for any data, before anyone asks what it means (behaviour T10). */
import type { Path } from './fault.ts';

/** Nothing in a scenario is deeper than this; free-form settings of a connector have room enough. */
export const DEEPEST = 64;

export const TOO_DEEP = `is nested deeper than ${DEEPEST} levels`;
export const FORBIDDEN_NAME = 'the name __proto__ cannot be used; choose another name';

export interface DataProblem {
  readonly path: Path;
  readonly message: string;
}

/** Problems of a value that came as data already, such as a parsed request body. */
export function* checkData(value: unknown, path: Path = []): Generator<DataProblem> {
  if (typeof value !== 'object' || value === null) return;
  if (path.length > DEEPEST) {
    yield { path, message: TOO_DEEP };
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (typeof item === 'object') yield* checkData(item, [...path, index]);
    return;
  }
  for (const name of Object.keys(value)) {
    if (name === '__proto__') yield { path: [...path, name], message: FORBIDDEN_NAME };
    const held: unknown = Reflect.get(value, name);
    if (typeof held === 'object') yield* checkData(held, [...path, name]);
  }
}
