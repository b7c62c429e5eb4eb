/** What a test needs that makes recorded calls again. */
import { isDeepStrictEqual } from 'node:util';
import type { ControlSchemas } from '../engine/control/call-types.ts';
import { presentEnvironment } from '../engine/control/handlers/environments.ts';
import { Refusal } from '../engine/core/errors.ts';
import { wireTime } from '../engine/core/moment.ts';
import { getRow } from '../engine/core/table.ts';
import type { Environments } from '../engine/environments/all-environments.ts';
import type { Environment } from '../engine/environments/environment.ts';
import type { JournalEntry } from '../engine/environments/journal.ts';
import type { State } from '../service/state.ts';

export interface RecordedCalls {
  /** In the order in which they were made. */
  readonly calls: readonly JournalEntry[];
  readonly decisions: readonly LinkDecision[];
  readonly faults: readonly ControlSchemas['Fault'][];
  readonly environment: ControlSchemas['Environment'];
  /** What the environment needs besides its scenario: settings, and the environment that it copies. */
  readonly options: object;
}

/** What a user decided on a link. */
export interface LinkDecision {
  /** The numbers of the call that made the link, and of the first call after the decision, if there is one. */
  readonly by: number;
  readonly before: number | undefined;
  readonly choice: 'approve' | 'deny';
  readonly auth_request_id?: string;
}

/** @throws Refusal 404 for a call that the journal does not have */
export const readCalls = (
  environment: Environment,
  environments: Environments,
  sequences: readonly number[],
): RecordedCalls => {
  const calls = [...new Set(sequences)]
    .sort((one, other) => one - other)
    .map((sequence) => {
      const entry = environment.journal.find(sequence);
      if (entry) return entry;
      throw new Refusal('NOT_FOUND', `The journal has no call ${sequence}.`, 'Mark calls that it has.');
    });
  return {
    ...{ calls, faults: environment.faults.list(), environment: presentEnvironment(environment) },
    decisions: calls.flatMap((entry) => decisionOf(environment, entry, calls) ?? []),
    options: optionsOf(environment, environments.first().name),
  };
};

/** Changed settings, and the environment that this one copies, unless that is the usual one. */
const optionsOf = (environment: Environment, first: string) => {
  const { name, origin, service, current } = environment;
  const { copiedFrom: from = name } = origin;
  const { write, defaults } = service.settings;
  const usual: Readonly<Record<string, unknown>> = { ...write(defaults) };
  const changed = Object.entries(write(current.settings)).filter(
    ([member, value]) => !isDeepStrictEqual(value, usual[member]),
  );
  return {
    ...(from !== first && { from }),
    ...(changed.length > 0 && { settings: Object.fromEntries(changed) }),
  };
};

/** The decision on the link that a call made. The link tells when; the event of that time tells what. */
const decisionOf = (
  { current, events, journal, key }: Environment,
  { sequence, response }: JournalEntry,
  calls: readonly JournalEntry[],
): LinkDecision | undefined => {
  const token = String(Object(response.body).link ?? '').replace(/^.*\//, '');
  const { authorization_links } = current.data as unknown as State; // the cast is safe: this package has one service
  const link = getRow(authorization_links, token.slice(0, -key.length));
  if (link?.used_at === undefined) return undefined;
  const time = wireTime(link.used_at, current);
  const made = journal.changesAt(sequence);
  const event = events
    .list()
    .find(
      (each) =>
        each.sequence > made &&
        each.time === time &&
        /^authorization_link\.(?:approved|denied)$/.test(each.type) &&
        Object(each.resource).connected_account_id === link.account_id,
    );
  if (!event) return undefined;
  const { auth_request_id: id } = link;
  return {
    by: sequence,
    before: calls.find((each) => journal.changesAt(each.sequence) >= event.sequence)?.sequence,
    choice: event.type.endsWith('approved') ? 'approve' : 'deny',
    ...(id !== undefined && { auth_request_id: id + key }),
  };
};
