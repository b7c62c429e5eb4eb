import { setTimeout as delay } from 'node:timers/promises';
import { monotonicNow } from '../core/clock.ts';
import { DURATION_HINT, parseDuration } from '../core/duration.ts';
import type { ScenarioForm } from '../scenario/sections/index.ts';
import { bindLater, method, type Transport } from './binding.ts';
import { METHODS, queryOf } from './methods.ts';
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
import { writeText } from './write-text.ts';

const CALLS = {
  requests: method(
    'GET /requests',
    ({ timeout = DEFAULT_TIMEOUT, ...filter }: RequestWait) => ({
      query: { ...queryOf(filter), format: 'json' as const, wait: timeout },
    }),
    (journal): readonly RecordedRequest[] => ('requests' in journal ? journal.requests : []),
  ),
  emails: method(
    'GET /outbox',
    ({ timeout = DEFAULT_TIMEOUT, ...filter }: EmailWait) => ({ query: { ...filter, wait: timeout } }),
    ({ emails }) => emails,
  ),
  scenario: METHODS.scenario,
  accounts: method(
    'GET /resources/{kind}',
    (query: string) => ({ path: { kind: 'connected_accounts' as const }, query: { query, page_size: 200 } }),
    ({ rows }) => rows as unknown as readonly Account[], // as the contract shows them
  ),
};

const DEFAULT_TIMEOUT = '5s';

/** Real milliseconds between two looks at an account. */
const PAUSE = 20;

export interface Waits {
  /** The first call that matches, as soon as there is one. @throws MockError if none is made in time */
  waitForRequest(wait?: RequestWait): Promise<RecordedRequest>;
  /** The first e-mail that matches, as soon as there is one. @throws MockError if none comes in time */
  waitForEmail(wait?: EmailWait): Promise<Email>;
  /**
   * A connected account, as soon as it has a status. @param account its id, or connector and identifier:
   * `mail/ada@acme.test`; it need not be there yet. @throws MockError if it does not get there in time
   */
  waitForStatus(account: string, status: AccountStatus, options?: Timeout): Promise<Account>;
  /**
   * Writes a scenario that gives this state, to be started with or put into the fixtures folder: as JSON if the name ends
   * in `.json`, else as YAML. It extends the scenario that the environment started from, and says what differs. A file
   * that exists is replaced. @throws MockError if it cannot be written
   */
  save(file: string): Promise<void>;
}

/** @param id of the environment whose methods they are */
export const bindWaits = (ask: Transport<Promise<unknown>>, id: string): Waits => {
  const { requests, emails, accounts, scenario } = bindLater(CALLS, ask, id);
  return {
    waitForRequest: async (wait = {}) => {
      const [first] = await requests(wait);
      return first ?? late('No call that matches was made in time.', 'requests() tells which ones were.');
    },
    waitForEmail: async (wait = {}) => {
      const [first] = await emails(wait);
      return first ?? late('No e-mail that matches was sent in time.', 'outbox() tells which ones were.');
    },
    waitForStatus: async (account, status, { timeout = DEFAULT_TIMEOUT } = {}) =>
      becomes(accounts, requireGiven('account', account), requireGiven('status', status), timeout),
    save: async (file) => writeText(requireGiven('file', file), await scenarioText({ scenario }, file)),
  };
};

const becomes = async (
  search: (query: string) => Promise<readonly Account[]>,
  account: string,
  status: AccountStatus,
  timeout: string,
): Promise<Account> => {
  const [, connector, name = ''] = /^([^/]+)\/(.+)$/s.exec(account) ?? [];
  const isMeant = (one: Account): boolean =>
    connector === undefined
      ? one.id === account
      : one.identifier === name && one.connector === connector.toLowerCase();
  const end = monotonicNow() + milliseconds(timeout);
  for (;;) {
    const found = (await search(name || account)).find(isMeant);
    if (found?.status === status) return found;
    if (monotonicNow() >= end)
      return late(
        found ? `The account ${account} is ${found.status}.` : `There is no account ${account}.`,
        `It did not become ${status} within ${timeout}; events() tells what happened.`,
      );
    await delay(PAUSE);
  }
};

/** An environment as the text of a scenario file. @param file whose name says whether JSON or YAML is wanted */
export const scenarioText = async (
  { scenario }: { readonly scenario: () => Promise<ScenarioForm> },
  file: string,
): Promise<string> => {
  const { writeScenario } = await import('../scenario/scenario-text.ts'); // reads no YAML unless something is saved
  return writeScenario(await scenario(), file);
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
