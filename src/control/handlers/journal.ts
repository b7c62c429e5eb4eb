/** Calls about what clients sent and what the mock answered. */

import { parseTimestamp } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { defined, parseJson } from '../../core/object.ts';
import { requireFewItems } from '../../environments/call-match.ts';
import { emptyHar, toHarEntry } from '../../environments/har.ts';
import { JOURNAL_LIMIT, type JournalFilter } from '../../environments/journal.ts';
import type { JournalEntry } from '../../environments/journal-entry.ts';
import { isJsonObject } from '../../openapi/document.ts';
import { inPieces } from '../long-answer.ts';
import type { Context, Handlers } from '../types.ts';
import { DONE, readWait, requireOperation } from './lookup.ts';

export const journal = {
  listRequests: ({ query }, context) => {
    const { journal: calls } = context.environment;
    const filter = readFilter(query, context);
    const { format, limit = format === 'har' ? JOURNAL_LIMIT : 100 } = query;
    const answer = () => {
      const entries = calls.list(filter, limit);
      return format === 'har' ? archive(entries, context) : list(entries, calls.dropped());
    };
    const wait = readWait(query.wait);
    return wait === 0 ? answer() : calls.wait(filter, wait, context.signal).then(answer);
  },

  getRequest: ({ path: { sequence } }, { environment }) => {
    const entry = environment.journal.find(sequence);
    if (entry) return { status: 200, body: entry };
    throw new Refusal(
      'NOT_FOUND',
      `The journal has no call ${sequence}.`,
      'The journal keeps the last 1,000 calls; GET .../requests lists them.',
    );
  },

  clearRequests: (_input, { environment }) => {
    environment.journal.clear();
    return DONE;
  },
} satisfies Partial<Handlers>;

/** Writes the journal one call at a time, so that other calls need not wait for it. */
const list = (entries: Iterable<JournalEntry>, dropped: number) => ({
  status: 200 as const,
  pieces: inPieces({ requests: [], dropped }, entries),
});

const archive = (entries: Iterable<JournalEntry>, { environments, version }: Context) => {
  const { log } = emptyHar(version);
  const toEntry = (entry: JournalEntry) => toHarEntry(entry, environments.baseUrl);
  return { status: 200 as const, pieces: inPieces({ log }, entries, toEntry) };
};

interface GivenFilter {
  readonly operation?: string;
  readonly status?: number | string;
  readonly path?: string;
  readonly query?: string;
  readonly identifier?: string;
  readonly body?: string;
  readonly since?: string;
}

/**
 * Reads a filter of the journal.
 * @throws Refusal 400 for an operation that the contract does not have, and a body that is not a JSON object
 */
const readFilter = (given: GivenFilter, { environments }: Context): JournalFilter => {
  const { operation, status, path, query, identifier, body, since } = given;
  return defined({
    operation: operation === undefined ? undefined : requireOperation(environments, operation),
    status,
    path,
    query: query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query)),
    identifier,
    body: body === undefined ? undefined : requirePart(body),
    since: since === undefined ? undefined : parseTimestamp(since),
  });
};

const requirePart = (text: string): Record<string, unknown> => {
  const part = requireObject(text);
  requireFewItems(part);
  return part;
};

const requireObject = (text: string): Record<string, unknown> => {
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  throw new Refusal(
    'INVALID_ARGUMENT',
    'body is not a JSON object.',
    'Write the part of the body to search for as JSON, such as {"connector":"mail"}, URL-encoded.',
  );
};
