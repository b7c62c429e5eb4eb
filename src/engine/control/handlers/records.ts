/** Handlers of calls that list what happened: requests, e-mails and changes, coverage and the Pact. */
import type { Contract } from '../../contract/load.ts';
import { parseDuration, parseTimestamp } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { defined, isJsonObject, parseJson } from '../../core/object.ts';
import type { Environment, LoggedChange, SentEmail } from '../../environments/environment.ts';
import { requirePossible } from '../../environments/faults.ts';
import { toHar } from '../../environments/har.ts';
import { JOURNAL_LIMIT, type JournalFilter } from '../../environments/journal.ts';
import type { EventSink } from '../../http/event-stream.ts';
import type { Context, ControlSchemas, Handlers, QueryOf } from '../control-document.ts';
import { coverageTable, reportCoverage } from '../coverage-report.ts';
import { writePact } from '../pact.ts';
import { DONE } from './environments.ts';

/** The context of a call about one environment, or about all. */
type AnyContext = Context & { readonly environment?: Environment };

/**
 * Answers with the coverage as JSON or as a table. The status is 412 if the coverage is lower than `min`. A browser is
 * redirected to the console.
 */
const getCoverage = (
  { query: { min = 0, format } }: { readonly query: QueryOf<'getCoverage'> },
  { environments, environment, headers: { accept = '' } }: AnyContext,
) => {
  // The first type in `Accept` counts; browsers put `text/html` first.
  const wanted = format ?? /text\/html|text\/plain|application\/json/.exec(accept)?.[0];
  if (wanted === 'text/html') {
    const { name } = environment ?? environments.first();
    const location = `${environments.baseUrl}/_mock/#/${encodeURIComponent(name)}/reference`;
    return { status: 303, location } as const;
  }
  const { coverage } = (environment ?? environments).used;
  const body = reportCoverage(environments.service.contract.operations, coverage);
  const status = body.percent < min ? 412 : 200;
  if (wanted !== 'text' && wanted !== 'text/plain') return { status, body };
  const text = coverageTable(body, environment?.name ?? 'all environments');
  return { status, contentType: 'text/plain', text } as const;
};

const getPact = (
  { query }: { readonly query: QueryOf<'getPact'> },
  { environments, environment }: AnyContext,
) => ({
  body: writePact(environments.service.contract, (environment ?? environments).used.interactions, query),
});

export const records = {
  listRequests: async ({ query: { wait, format, limit, ...given } }, context) => {
    const { environment, environments, version, signal } = context;
    const { journal } = environment;
    const filter = readFilter(environments.service.contract, given);
    await journal.waitFor(filter, readWait(wait), signal());
    const entries = journal.entries(filter, limit ?? (format === 'har' ? JOURNAL_LIMIT : 100));
    if (format === 'har') return { body: toHar(entries, version, environments.baseUrl) };
    return { body: { requests: entries, dropped: journal.dropped } };
  },

  clearRequests: (_input, { environment }) => clear(environment.journal),

  listEmails: async ({ query }, { environment: { outbox }, signal }) => {
    const matches = emailMatcher(query);
    await outbox.wait(matches, readWait(query.wait), signal());
    return { body: { emails: outbox.list().filter(matches) as ControlSchemas['Email'][] } }; // safe: the document names all kinds
  },

  clearEmails: (_input, { environment }) => clear(environment.outbox),

  listEvents: (_input, { environment: { events }, headers }) => {
    const { accept, 'last-event-id': lastId } = headers;
    if (!accept?.includes('text/event-stream')) return { body: { events: events.list() } };
    return { status: 200, stream: (sink) => follow(events, Number(lastId ?? 0) || 0, sink) };
  },

  clearTotalCoverage: (_input, { environments }) =>
    clear(...[environments, ...environments.byId.values()].map(({ used }) => used.coverage)),

  clearCoverage: (_input, { environment }) => clear(environment.used.coverage),

  getTotalCoverage: getCoverage,
  getCoverage,
  getTotalPact: getPact,
  getPact,
} satisfies Partial<Handlers>;

const clear = (...emptied: readonly { clear(): void }[]) => {
  for (const each of emptied) each.clear();
  return DONE;
};

const LONGEST_WAIT = 5 * 60_000;

/** @returns milliseconds @throws Refusal 400 above five minutes */
const readWait = (wait = '0s'): number => {
  const ms = parseDuration(wait) ?? 0;
  if (ms <= LONGEST_WAIT) return ms;
  const problem = `wait is ${JSON.stringify(wait)}, but must be at most 5m.`;
  const hint = 'Choose a shorter wait, and repeat the call if nothing arrived in that time.';
  throw new Refusal('INVALID_ARGUMENT', problem, hint);
};

type FilterForm = Omit<QueryOf<'listRequests'>, 'wait' | 'format' | 'limit'>;

/** @throws Refusal 400 for a filter that no call can pass, or a `body` that is not a JSON object */
const readFilter = (
  contract: Contract,
  { operation, query, body, since, ...more }: FilterForm,
): JournalFilter => {
  if (operation !== undefined) requirePossible(contract, operation, { ...more, body });
  return defined({
    ...more,
    operation,
    query: query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query)),
    body: body === undefined ? undefined : requirePart(body),
    since: since === undefined ? undefined : parseTimestamp(since),
  });
};

const requirePart = (text: string): Record<string, unknown> => {
  const part = parseJson(text);
  if (isJsonObject(part)) return part;
  const hint = 'Send URL-encoded JSON with the members to look for in bodies, such as {"connector":"mail"}.';
  throw new Refusal('INVALID_ARGUMENT', 'body is not a JSON object.', hint);
};

const emailMatcher = ({ to, kind, since }: QueryOf<'listEmails'>): ((email: SentEmail) => boolean) => {
  const from = parseTimestamp(since ?? '') ?? -Infinity;
  return (email) =>
    (to === undefined || email.to.toLowerCase() === to.toLowerCase()) &&
    (kind === undefined || email.kind === kind) &&
    Date.parse(email.time) >= from;
};

/** Sends the changes after number `last`, then every new one. */
const follow = (events: Environment['events'], last: number, sink: EventSink): (() => void) => {
  const onItem = (change: LoggedChange): void => sink.send(change.type, change, change.sequence);
  const onClear = (number: number): void => sink.send('reset', {}, number);
  // A number that the log has not reached comes from an earlier run of the server.
  const isOutdated = last > events.last;
  if (last > 0 && (isOutdated || last < events.cleared)) onClear(events.cleared);
  for (const change of events.list()) if (isOutdated || change.sequence > last) onItem(change);
  return events.follow({ onItem, onClear, onClose: () => sink.end() });
};
