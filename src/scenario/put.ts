/** The one path on which rows get into a state: of a file, of `PATCH .../state` and of `PUT .../state`. */
import type { EnvironmentForm } from './forms.ts';
import type { Path } from './problem.ts';
import { SECTIONS } from './sections/index.ts';
import type { Source } from './source.ts';
import type { Writing } from './writing.ts';

/**
 * Puts the rows of an environment, as a source writes it, on top of those that are there.
 * @param form compared with the schema before; it is at `path` of the source
 */
export const putEnvironment = (writing: Writing, source: Source, form: EnvironmentForm, path: Path): void => {
  for (const { name, put } of SECTIONS) put(writing, source, Reflect.get(form, name) ?? [], [...path, name]);
  writing.settle();
};
