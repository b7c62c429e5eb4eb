/** The query of a control call: an empty value counts as absent, a repeated name is refused. */
import { ControlError } from './errors.ts';

/** @param raw without the `?` @throws ControlError 400 */
export const readQuery = (raw: string): Record<string, unknown> => {
  const query: Record<string, unknown> = Object.create(null); // so that no name means what a prototype holds
  for (const [name, value] of new URLSearchParams(raw)) {
    if (value === '') continue;
    if (name in query) {
      throw new ControlError(
        'INVALID_ARGUMENT',
        `The query parameter ${JSON.stringify(name.slice(0, 100))} is given twice.`,
        'Give it once.',
      );
    }
    query[name] = value;
  }
  return query;
};
