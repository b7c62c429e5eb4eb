/** Handlers of calls that list what happened in an environment: requests, e-mails and state changes. */

import { isJsonObject } from '../../contract/document.ts';
import type { Contract } from '../../contract/load.ts';
import { parseDuration, parseTimestamp } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { defined, parseJson } from '../../core/object.ts';
import type { Environment, LoggedChange, SentEmail } from '../../environments/environment.ts';
import { requireOperation, requirePossible } from '../../environments/faults.ts';
import { toHar } from '../../environments/har.ts';
import { JOURNAL_LIMIT, type JournalFilter } from '../../environments/journal.ts';
import type { EventSink } from '../../http/event-stream.ts';
import type { ControlSchemas, Handlers, QueryOf } from '../call-types.ts';
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
