/** The query of a control call: an empty value counts as absent where one only looks, a repeated name is refused. */
import { ControlError } from './errors.ts';

/**
 * @param raw without the `?`
 * @param isRead of a call that changes nothing; where one deletes, `?id=` names something that got lost, not everything
 * @throws ControlError 400
 */
export const readQuery = (raw: string, isRead: boolean): Record<string, unknown> => {
  const query: Record<string, unknown> = Object.create(null); // so that no name means what a prototype holds
  for (const [name, value] of new URLSearchParams(raw)) {
    if (value === '' && isRead) continue;
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
