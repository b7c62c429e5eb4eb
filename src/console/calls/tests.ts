/** What a test needs that makes recorded calls again: the library writes it. */
import { isDeepStrictEqual } from 'node:util';
import type { ControlSchemas } from '../../engine/control/call-types.ts';
import { presentEnvironment } from '../../engine/control/handlers/environments.ts';
import { toTimestamp } from '../../engine/core/clock.ts';
import { Refusal } from '../../engine/core/errors.ts';
import { resolve } from '../../engine/core/moment.ts';
import { getRow } from '../../engine/core/table.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import type { JournalEntry } from '../../engine/environments/journal.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './call-types.ts';
import { stateOf } from './state.ts';

export interface RecordedCalls {
  /** In the order in which they were made. `changes` numbers the last change of state that a call could have made. */
  readonly calls: readonly (JournalEntry & { readonly changes: number })[];
  /** What users decided on links, and which change of state that was. */
  readonly decisions: readonly {
    readonly token: string;
    readonly choice: 'approve' | 'deny';
    readonly time: string;
    readonly change: number;
    readonly auth_request_id?: string;
  }[];
  readonly faults: readonly ControlSchemas['Fault'][];
  readonly environment: ControlSchemas['Environment'];
  /** What the environment needs besides its scenario: settings, and the environment that it copies. */
  readonly options: object;
}

export type WriteTests = (recorded: RecordedCalls) => ConsoleSchemas['Tests'];

export const testsWith = (write: WriteTests) =>
  ({
    writeTests: ({ body: { sequences } }, { environment, environments }) => {
      const calls = [...new Set(sequences)]
        .sort((one, other) => one - other)
        .map((each) => {
          const entry = environment.journal.find(each);
          if (!entry)
            throw new Refusal('NOT_FOUND', `The journal has no call ${each}.`, 'Mark calls that it has.');
          return { ...entry, changes: environment.journal.changesAt(each) };
        });
      const [first] = environments.byId.values();
      const recorded = {
        ...{ calls, decisions: decisionsOf(environment, calls), faults: environment.faults.list() },
        environment: presentEnvironment(environment),
        options: optionsOf(environment, first?.name),
      };
      return { status: 200, body: write(recorded) };
    },
  }) satisfies Partial<ConsoleHandlers>;

/** Changed settings, and the environment that this one copies, unless that is the usual one. */
const optionsOf = (environment: Environment, first?: string) => {
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

/** What users decided on the links that these calls made. A link tells when, and the event of that time tells what. */
const decisionsOf = (
  environment: Environment,
  calls: readonly JournalEntry[],
): RecordedCalls['decisions'] => {
  const {
    events,
    current: { start },
    key,
  } = environment;
  const data = stateOf(environment);
  const left = events.list().filter(({ type }) => DECISION.test(type));
  return calls.flatMap(({ response }) => {
    const token =
      String(Object(response.body).link ?? '')
        .split('/')
        .at(-1) ?? '';
    const link = getRow(data.authorization_links, token.slice(0, -key.length));
    if (link?.used_at === undefined) return [];
    const time = toTimestamp(resolve(link.used_at, start));
    const at = left.findIndex(
      (each) => each.time === time && Object(each.resource).connected_account_id === link.account_id,
    );
    const [event] = at < 0 ? [] : left.splice(at, 1);
    if (!event) return [];
    return [
      {
        ...{ token, time, change: event.sequence },
        choice: event.type.endsWith('approved') ? ('approve' as const) : ('deny' as const),
        ...(link.auth_request_id !== undefined && { auth_request_id: link.auth_request_id + key }),
      },
    ];
  });
};

const DECISION = /^authorization_link\.(?:approved|denied)$/;
