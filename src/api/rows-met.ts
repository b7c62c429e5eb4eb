/** Which rows a call met, by id, so that the journal can tell what happened to one of them. */
import { valueAt } from '../core/object.ts';
import type { Call } from './call.ts';

/** Ids that a call named in its address or body, that it changed, or that its reply is about. A list is about no row. */
export const rowsMet = ({ request, answer, changes }: Call): readonly string[] => {
  const texts = [
    ...(request.url.match(ROW_ID) ?? []),
    ...valuesOf(request.body),
    ...changes.flatMap(({ resource }) => Object.values(resource)),
    ...valuesOf(answer).map((row) => valueAt(row, 'id')),
  ];
  return [...new Set(texts.filter(isRowId))];
};

const PREFIXED = '(?:ca|org|usr|usp|conn|role|prv)_[A-Za-z0-9-]+';
const ROW_ID = new RegExp(`(?<=[/=])${PREFIXED}`, 'g');
const WHOLE = new RegExp(`^${PREFIXED}$`);

const isRowId = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 32 && WHOLE.test(text);

const MOST_MEMBERS = 50;

const valuesOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).slice(0, MOST_MEMBERS) : [];
