/// <reference lib="esnext.disposable" preserve="true" />
/** Lets tests control an isolated environment (behaviour E1), and wait for its calls, e-mails and status changes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../engine/control/generated.ts';
import { formatDuration, monotonicNow, parseDuration } from '../engine/core/clock.ts';
import { show } from '../engine/core/contains.ts';
import { didYouMean } from '../engine/core/text.ts';
import type { Ask } from './ask.ts';
import {
  type Account,
  type AccountStatus,
  type Duration,
  type Email,
  type EmailFilter,
  EnvironmentCalls,
  type RecordedRequest,
  type RequestFilter,
  type StateEvent,
} from './calls.ts';
import {
  EMAIL_WAIT,
  REQUEST_WAIT,
  requireConditions,
  requireGiven,
  requireNames,
  requireText,
} from './given.ts';
import { invalid, MockError } from './mock-error.ts';
import { writeText } from './write-text.ts';

/** What a client application needs to sign in to one environment. */
export interface Credentials {
  /** The id of the first client; "" if the scenario has none. */
  readonly clientId: string;
  /** The secret of the first client; "" if the scenario has none. */
  readonly clientSecret: string;
  /** An access token that never expires (behaviour E4); "" if the scenario has none. */
  readonly accessToken: string;
}

/** How long a method waits. */
export interface Timeout {
  /** The longest wait in real time, in milliseconds or as a duration such as `10s`: at most `5m`. Default: `4s`. */
  readonly timeout?: number | Duration;
}

/** Which call to wait for, and how long. */
export interface RequestWait extends Omit<RequestFilter, 'wait'>, Timeout {}

/** Which e-mail to wait for, and how long. */
export interface EmailWait extends Omit<EmailFilter, 'wait'>, Timeout {}

export type EnvironmentSummary = components['schemas']['Environment'];

export const toCredentials = (shown: Partial<EnvironmentSummary>): Credentials => ({
  clientId: shown.client_id ?? '',
  clientSecret: shown.client_secret ?? '',
  accessToken: shown.access_token ?? '',
});

/** Milliseconds of real time between two checks of an account's status. */
const PAUSE = 20;

/** One isolated environment (behaviour E1). A method that fails throws a `MockError` that says what to do. */
export class MockEnvironment extends EnvironmentCalls implements AsyncDisposable {
  /** The name, unique on the server. */
  readonly name: string;
  /** The address at which clients call the environment. */
  readonly url: string;
  /** The credentials with which a client signs in. */
  readonly credentials: Credentials;
  /** Headers for calls to a back end with a tracer, so that its calls to the mock go to this environment (behaviour E9). */
  readonly traceHeaders: Readonly<Record<'traceparent' | 'sentry-trace', string>>;
  #isDeleted = false;

  /** @internal */
  constructor(ask: Ask, shown: EnvironmentSummary, url: string) {
    super(ask, shown.id);
    this.name = shown.name;
    this.url = url;
    this.credentials = toCredentials(shown);
    const span = shown.trace_id.slice(16);
    // Sentry's tracer reads its own header only, most others read `traceparent` (W3C).
    this.traceHeaders = {
      traceparent: `00-${shown.trace_id}-${span}-01`,
      'sentry-trace': `${shown.trace_id}-${span}`,
    };
  }

  /** Waits for a matching call, and returns the first one. @throws MockError on timeout, with a list of other calls */
  async waitForRequest(given: RequestWait = {}): Promise<RecordedRequest> {
    const { timeout, ...filter } = requireConditions(given, REQUEST_WAIT);
    const { wait } = readTimeout(timeout);
    const [first] = await this.requests({ ...filter, wait });
    return (
      first ?? late('No matching call was made', wait, (await this.requests()).map(describeCall), 'calls')
    );
  }

  /** Waits for a matching e-mail, and returns the first. @throws MockError on timeout, with a list of other e-mails */
  async waitForEmail(given: EmailWait = {}): Promise<Email> {
    const { timeout, ...filter } = requireConditions(given, EMAIL_WAIT);
    const { wait } = readTimeout(timeout);
    const [first] = await this.outbox({ ...filter, wait });
    return (
      first ?? late('No matching e-mail was sent', wait, (await this.outbox()).map(describeEmail), 'e-mails')
    );
  }

  /**
   * Waits until the status of a connected account is `status`, and returns the account.
   * @param account the account's id, or its connector and identifier, such as `mail/ada@acme.test`. The account need
   * not exist yet.
   * @throws MockError for an unknown status, or on timeout, with the status that the account has instead
   */
  async waitForStatus(account: string, status: AccountStatus, options: Timeout = {}): Promise<Account> {
    requireNames(options, ['timeout']);
    requireText('account', account);
    requireStatus(status);
    const { ms, wait } = readTimeout(options.timeout);
    const end = monotonicNow() + ms;
    for (;;) {
      const found = await this.#findAccount(account);
      if (found?.status === status) return found;
      if (monotonicNow() >= end) {
        const changes = (await this.events()).map(describeEvent);
        const state = found ? `is ${found.status}` : 'does not exist';
        return late(`The account ${account} ${state} and did not become ${status}`, wait, changes, 'changes');
      }
      await delay(PAUSE);
    }
  }

  async #findAccount(named: string): Promise<Account | undefined> {
    // Not from the API, whose journal would then have the call.
    const path = { kind: 'connected_accounts', id: named } as const;
    const found = await this.ask('getRow', { path }).catch(unlessMissing);
    return found?.api as unknown as Account | undefined;
  }

  /**
   * Writes the state of this environment as a scenario file: as JSON if the name ends in `.json`, else as YAML.
   * Replaces an existing file.
   * @throws MockError if the file cannot be written
   */
  async save(file: string): Promise<void> {
    requireText('file', file);
    // Imported on demand, because `scenario-text.ts` loads a YAML library.
    const { writeScenario } = await import('../engine/scenario/scenario-text.ts');
    writeText(file, writeScenario(await this.scenario()));
  }

  /** Deletes the environment and everything in it. */
  override async delete(): Promise<void> {
    await super.delete();
    this.#isDeleted = true;
  }

  /** Deletes the environment at the end of an `await using` block, unless it is deleted already. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isDeleted) await this.delete().catch(unlessMissing);
  }
}

/** @throws the error, unless it says that something does not exist */
const unlessMissing = (error: unknown): undefined => {
  if (!(error instanceof MockError) || error.code !== 'NOT_FOUND') throw error;
};

/** The type makes sure that no status is missing. */
const STATUSES: Readonly<Record<AccountStatus, true>> = {
  ...{ ACTIVE: true, EXPIRED: true, DISCONNECTED: true },
  ...{ PENDING_AUTH: true, PENDING_VERIFICATION: true },
};

/** @throws MockError for an unknown status, since no account would ever get it */
const requireStatus = (status: unknown): void => {
  const known = Object.keys(STATUSES);
  if (known.some((one) => one === requireGiven('status', status))) return;
  throw invalid(
    `status is ${show(status)}, but must be one of ${known.join(', ')}.`,
    didYouMean(String(status), known).trim() || 'Correct the status.',
  );
};

/** In milliseconds. Below the 5 seconds after which most runners stop a test. */
const DEFAULT_WAIT = 4_000;
/** The longest wait that a test can ask for, in milliseconds. */
const LONGEST_WAIT = 300_000;

/** The timeout in milliseconds, and as a duration. @throws MockError if the timeout is wrong or too long */
const readTimeout = (timeout: unknown = DEFAULT_WAIT) => {
  const ms = typeof timeout === 'string' ? parseDuration(timeout) : timeout;
  const isTime = typeof ms === 'number' && Number.isInteger(ms) && ms >= 0;
  if (isTime && ms <= LONGEST_WAIT) return { ms, wait: formatDuration(ms) };
  const shown = typeof timeout === 'string' ? JSON.stringify(timeout) : String(timeout);
  throw invalid(
    `timeout is ${shown}, but must be ${isTime ? 'at most 5m' : 'a number of milliseconds or a duration'}.`,
    'Give a number such as 5000, or a duration such as 5s or 1m30s, at most 5m.',
  );
};

const MOST_SHOWN = 5;

/** @throws MockError always: the time is up. The message lists what happened instead. */
const late = (what: string, wait: string, instead: readonly string[], kind: string): never => {
  const shown = instead.slice(-MOST_SHOWN);
  const isCut = shown.length < instead.length;
  const some = isCut
    ? `The last ${shown.length} of ${instead.length} ${kind}`
    : `The ${kind} in this environment`;
  throw new MockError({
    code: 'DEADLINE_EXCEEDED',
    message: `${what} within ${wait}.`,
    hint:
      shown.length === 0 ? `There are no ${kind} in this environment.` : [`${some}:`, ...shown].join('\n'),
  });
};

const describeEvent = ({ type, resource, from, to }: StateEvent): string => {
  const change = from === undefined || to === undefined ? '' : ` from ${from} to ${to}`;
  return `  ${type} ${Object.values(resource).join(' ')}${change}`;
};

export const describeEmail = ({ kind, to, subject }: Email): string => `  ${kind} to ${to}: ${subject}`;

/** Describes a call, such as `POST /api/v1/connected_accounts 400 createConnectedAccount: identifier is missing`. */
export const describeCall = (call: RecordedRequest): string => {
  const { request, status, operation = '', reason, warnings, fault } = call;
  const what = `  ${request.method} ${request.url} ${status} ${operation}`.trimEnd();
  return [
    reason === undefined ? what : `${what}: ${reason}`,
    ...(fault === undefined ? [] : [`    fault ${fault} took effect on this call`]),
    ...warnings.map((warning) => `    ${warning}`),
  ].join('\n');
};
