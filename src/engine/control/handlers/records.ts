/** Handlers of calls that list what happened: requests, e-mails and changes, coverage and the Pact. */

import { isJsonObject } from '../../contract/document.ts';
import type { Contract } from '../../contract/load.ts';
import { parseDuration, parseTimestamp } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { defined, parseJson } from '../../core/object.ts';
import type { Environment, LoggedChange, SentEmail } from '../../environments/environment.ts';
import { requireOperation, requirePossible } from '../../environments/faults.ts';
import { toHar } from '../../environments/har.ts';
import { JOURNAL_LIMIT, type JournalFilter } from '../../environments/journal.ts';
import type { UsedContract } from '../../environments/used.ts';
import type { EventSink } from '../../http/event-stream.ts';
import type { Context, ControlSchemas, HandlerReply, Handlers, QueryOf } from '../call-types.ts';
import { coverageTable, reportCoverage } from '../coverage-report.ts';
import { writePact } from '../pact.ts';
import { DONE } from './shared.ts';

/** The document names the kinds of e-mails that the service sends. */
type ShownEmail = ControlSchemas['Email'];

export const records = {
  listRequests: ({ query: { wait, format, limit, ...given } }, context) => {
    const { journal } = context.environment;
    const filter = readFilter(context.environments.service.contract, given);
    const answer = () => {
      const entries = journal.list(filter, limit ?? (format === 'har' ? JOURNAL_LIMIT : 100));
      return format === 'har'
        ? ({ status: 200, body: toHar(entries, context.version, context.environments.baseUrl) } as const)
        : ({ status: 200, body: { requests: entries, dropped: journal.dropped() } } as const);
    };
    const ms = readWait(wait);
    return ms === 0 ? answer() : journal.wait(filter, ms, context.signal()).then(answer);
  },

  clearRequests: (_input, { environment }) => {
    environment.journal.clear();
    return DONE;
  },

  listEmails: ({ query }, { environment: { outbox }, signal }) => {
    const matches = emailMatcher(query);
    const answer = () =>
      ({ status: 200, body: { emails: outbox.list().filter(matches) as ShownEmail[] } }) as const;
    const wait = readWait(query.wait);
    return wait === 0 ? answer() : outbox.wait(matches, wait, signal()).then(answer);
  },

  clearEmails: (_input, { environment }) => {
    environment.outbox.clear();
    return DONE;
  },

  listEvents: (_input, { environment, headers }) => {
    const { accept, 'last-event-id': lastId } = headers;
    if (!accept?.includes('text/event-stream'))
      return { status: 200, body: { events: environment.events.list() } };
    return { status: 200, stream: (sink) => follow(environment, Number(lastId ?? 0) || 0, sink) };
  },

  getTotalCoverage: ({ query }, context) => {
    const { environments } = context;
    return answerCoverage(
      environments.totalUsed(),
      'all environments',
      environments.first().name,
      query,
      context,
    );
  },

  getTotalPact: ({ query }, { environments }) => ({
    status: 200,
    body: writePact(environments.service.contract, environments.totalUsed().interactions, query),
  }),

  getPact: ({ query }, { environment }) => ({
    status: 200,
    body: writePact(environment.service.contract, environment.used.interactions, query),
  }),

  clearTotalCoverage: (_input, { environments }) => {
    environments.clearCoverage();
    return DONE;
  },

  getCoverage: ({ query }, context) => {
    const { used, name } = context.environment;
    return answerCoverage(used, name, name, query, context);
  },

  clearCoverage: (_input, { environment }) => {
    environment.used.coverage.clear();
    return DONE;
  },
} satisfies Partial<Handlers>;

const LONGEST_WAIT = 5 * 60_000;

/** Reads how many milliseconds a call waits; default 0. @throws Refusal 400 above five minutes */
const readWait = (wait = '0s'): number => {
  const ms = parseDuration(wait) ?? 0;
  if (ms <= LONGEST_WAIT) return ms;
  throw new Refusal(
    'INVALID_ARGUMENT',
    `wait is ${JSON.stringify(wait)}, but must be at most 5m.`,
    'Choose a shorter wait, and repeat the call if nothing arrived in that time.',
  );
};

type FilterForm = Omit<QueryOf<'listRequests'>, 'wait' | 'format' | 'limit'>;

/**
 * Reads a filter of the journal.
 * @throws Refusal 400 if the contract does not have the operation, or if no call of it can have the `path` or a `body`, or if that is not a JSON object
 */
const readFilter = (
  contract: Contract,
  { operation, query, body, since, ...more }: FilterForm,
): JournalFilter => {
  const known = operation === undefined ? undefined : requireOperation(contract, operation);
  if (known !== undefined) requirePossible(contract, known, { ...more, body });
  return defined({
    ...more,
    operation: known,
    query: query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query)),
    body: body === undefined ? undefined : requirePart(body),
    since: since === undefined ? undefined : parseTimestamp(since),
  });
};

const requirePart = (text: string): Record<string, unknown> => {
  const part = parseJson(text);
  if (!isJsonObject(part))
    throw new Refusal(
      'INVALID_ARGUMENT',
      'body is not a JSON object.',
      'Send URL-encoded JSON with the members to look for in bodies, such as {"connector":"mail"}.',
    );
  return part;
};

const emailMatcher = ({ to, kind, since }: QueryOf<'listEmails'>): ((email: SentEmail) => boolean) => {
  const from = parseTimestamp(since ?? '') ?? -Infinity;
  return (email) =>
    (to === undefined || email.to.toLowerCase() === to.toLowerCase()) &&
    (kind === undefined || email.kind === kind) &&
    Date.parse(email.time) >= from;
};

/** Sends the changes whose sequence number is above `last`, then every new change. */
const follow = ({ events }: Environment, last: number, sink: EventSink): (() => void) => {
  const send = (change: LoggedChange): void => sink.send(change.type, change, change.sequence);
  const sendReset = (number: number): void => sink.send('reset', {}, number);
  // A number that the log has not reached comes from an earlier run of the server.
  const isOutdated = last > events.last();
  if (last > 0 && (isOutdated || last < events.cleared())) sendReset(events.cleared());
  for (const change of events.list()) if (isOutdated || change.sequence > last) send(change);
  return events.follow({
    onItem: send,
    onClear: sendReset,
    onClose: () => sink.end(),
  });
};

/**
 * Answers with the coverage as JSON or as a table. The status is 412 if the coverage is lower than `min`. A browser is
 * redirected to the console.
 * @param coveredBy the words after "by" in the title of the table
 * @param name the environment whose coverage the console shows
 */
const answerCoverage = (
  { coverage }: UsedContract,
  coveredBy: string,
  name: string,
  { min = 0, format }: QueryOf<'getCoverage'>,
  { environments, headers: { accept = '' } }: Context,
): HandlerReply<'getCoverage'> => {
  // The first type in `Accept` counts; browsers put `text/html` first.
  const wanted = format ?? /text\/html|text\/plain|application\/json/.exec(accept)?.[0];
  if (wanted === 'text/html') {
    const location = `${environments.baseUrl}/_mock/#/${encodeURIComponent(name)}/reference`;
    return { status: 303, location };
  }
  const { contract } = environments.service;
  const report = reportCoverage(contract.operations, coverage);
  const status = report.percent < min ? 412 : 200;
  if (wanted === 'text' || wanted === 'text/plain')
    return { status, contentType: 'text/plain', text: coverageTable(report, coveredBy) };
  return status === 412 ? { status, body: report } : { status, body: report }; // the branches have different types: the first has the status 412, the second 200
};
