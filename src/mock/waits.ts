/** Methods of an environment that take their time, wherever the mock is: they make calls until something is there. */
import { writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicNow } from '../core/clock.ts';
import { DURATION_HINT, parseDuration } from '../core/duration.ts';
import { isScenarioName } from '../domain/scenario.ts';
import type { ScenarioForm } from '../scenario/sections/index.ts';
import { type BoundLater, bindLater, type Transport } from './binding.ts';
import { METHODS, method, queryOf } from './methods.ts';
import { MockError, requireGiven } from './mock-error.ts';
import type {
  Account,
  AccountStatus,
  Email,
  EmailWait,
  RecordedRequest,
  RequestWait,
  Timeout,
} from './types.ts';

const CALLS = {
  requests: method(
    'GET /environments/{env}/requests',
    ({ timeout = DEFAULT_TIMEOUT, ...filter }: RequestWait) => ({
      query: { ...queryOf(filter), format: 'json' as const, wait: timeout },
    }),
    (journal): readonly RecordedRequest[] => ('requests' in journal ? journal.requests : []),
  ),
  emails: method(
    'GET /environments/{env}/outbox',
    ({ timeout = DEFAULT_TIMEOUT, ...filter }: EmailWait) => ({ query: { ...filter, wait: timeout } }),
    ({ emails }) => emails,
  ),
  scenario: METHODS.scenario,
  accounts: method(
    'GET /environments/{env}/resources/{kind}',
    (query: string) => ({ path: { kind: 'connected_accounts' as const }, query: { query, page_size: 200 } }),
    ({ rows }) => rows as unknown as readonly Account[], // as the contract shows them
  ),
};

type Calls = BoundLater<typeof CALLS> & { readonly name: string };

const DEFAULT_TIMEOUT = '5s';

/** Real milliseconds between two looks at an account. */
const PAUSE = 20;

const WAITS = {
  /** The first call that matches, as soon as there is one. @throws MockError if none is made in time */
  waitForRequest: async ({ requests }: Calls, wait: RequestWait = {}): Promise<RecordedRequest> => {
    const [first] = await requests(wait);
    return first ?? late('No call that matches was made in time.', 'requests() tells which ones were.');
  },

  /** The first e-mail that matches, as soon as there is one. @throws MockError if none comes in time */
  waitForEmail: async ({ emails }: Calls, wait: EmailWait = {}): Promise<Email> => {
    const [first] = await emails(wait);
    return first ?? late('No e-mail that matches was sent in time.', 'outbox() tells which ones were.');
  },

  /**
   * Writes a scenario that gives this state, to be started with or put into the fixtures folder: as JSON if the name ends
   * in `.json`, else as YAML. It extends the scenario that the environment started from, and says what differs. A file
   * that exists is replaced.
   */
  save: async (environment: Calls, file: string): Promise<void> => {
    await writeFile(requireGiven('file', file), await scenarioText(environment, file));
  },

  /**
   * A connected account, as soon as it has a status. @param account its id, or connector and identifier:
   * `mail/ada@acme.test`; it need not be there yet. @throws MockError if it does not get there in time
   */
  waitForStatus: async (
    { accounts }: Calls,
    account: string,
    status: AccountStatus,
    options: Timeout = {},
  ): Promise<Account> => {
    const { timeout = DEFAULT_TIMEOUT } = options;
    const [, connector, name = ''] = /^([^/]+)\/(.+)$/s.exec(requireGiven('account', account)) ?? [];
    const end = monotonicNow() + milliseconds(timeout);
    for (;;) {
      const found = (await accounts(name || account)).find((one) =>
        connector === undefined
          ? one.id === account
          : one.identifier === name && one.connector === connector.toLowerCase(),
      );
      if (found?.status === requireGiven('status', status)) return found;
      if (monotonicNow() >= end)
        return late(
          found ? `The account ${account} is ${found.status}.` : `There is no account ${account}.`,
          `It did not become ${status} within ${timeout}; events() tells what happened.`,
        );
      await delay(PAUSE);
    }
  },
};

/** An environment as the text of a scenario file. @param file whose name says whether JSON or YAML is wanted */
export const scenarioText = async (
  { scenario }: { readonly scenario: () => Promise<ScenarioForm> },
  file: string,
): Promise<string> => {
  const { writeScenario } = await import('../scenario/write.ts'); // reads no YAML where nobody saves
  const { extends: base, ...own } = await scenario();
  // A path is relative to this process; in a file it is relative to that.
  const isPath = typeof base === 'string' && !isScenarioName(base);
  const shown = isPath ? relative(dirname(resolve(file)), resolve(base)) : base;
  return writeScenario({ ...(shown !== undefined && { extends: shown }), ...own }, file);
};

const late = (message: string, hint: string): never => {
  throw new MockError({ code: 'DEADLINE_EXCEEDED', message, hint });
};

/** @throws MockError for what is no duration */
const milliseconds = (timeout: string): number => {
  const ms = parseDuration(String(timeout));
  if (ms !== undefined) return ms;
  throw new MockError({
    code: 'INVALID_ARGUMENT',
    message: `timeout is ${JSON.stringify(timeout)}, but must be a duration.`,
    hint: `Give ${DURATION_HINT}.`,
  });
};

/** Whose waits they are. */
type Environment = { readonly id: string; readonly name: string };

type Table = typeof WAITS;

/** The waits of one environment. */
export type Waits = {
  readonly [Name in keyof Table]: Table[Name] extends (calls: Calls, ...given: infer Given) => infer Result
    ? (...given: Given) => Result
    : never;
};

export const bindWaits = (ask: Transport<Promise<unknown>>, { id, name }: Environment): Waits => {
  const calls = { name, ...bindLater(CALLS, ask, id) };
  return {
    waitForRequest: (...given) => WAITS.waitForRequest(calls, ...given),
    waitForEmail: (...given) => WAITS.waitForEmail(calls, ...given),
    save: (...given) => WAITS.save(calls, ...given),
    waitForStatus: (...given) => WAITS.waitForStatus(calls, ...given),
  };
};
