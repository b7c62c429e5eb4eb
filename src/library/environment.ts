/// <reference lib="esnext.disposable" preserve="true" />
/** Lets tests control an isolated environment (behaviour E1), and wait for its calls, e-mails and status changes. */
import { setTimeout as delay } from 'node:timers/promises';
import { DURATION_HINT, formatDuration, monotonicNow, parseDuration } from '../core/clock.ts';
import type { components } from '../server/control/generated.ts';
import { type Ask, MockError, requireGiven } from './ask.ts';
import { EnvironmentCalls } from './calls.ts';
import type {
  Account,
  AccountStatus,
  Email,
  EmailFilter,
  RecordedRequest,
  RequestFilter,
  StateEvent,
} from './types.ts';
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
  /** The longest wait in real time: at most `5m`. Default: `4s`, or less if the test times out sooner. */
  readonly timeout?: string;
}

/** Which call to wait for, and how long. */
export interface RequestWait extends Omit<RequestFilter, 'wait'>, Timeout {}

/** Which e-mail to wait for, and how long. */
export interface EmailWait extends Omit<EmailFilter, 'wait'>, Timeout {}

/** Reads the credentials from the control plane's description of an environment. */
export const toCredentials = (shown: Partial<EnvironmentSummary>): Credentials => ({
  clientId: shown.client_id ?? '',
  clientSecret: shown.client_secret ?? '',
  accessToken: shown.access_token ?? '',
});

export type EnvironmentSummary = components['schemas']['Environment'];

/** The time between two checks of an account's status, in milliseconds of real time. */
const PAUSE = 20;

/** One isolated environment (behaviour E1). A method that fails throws a `MockError` that says what to do. */
export class MockEnvironment extends EnvironmentCalls implements AsyncDisposable {
  /** The name, unique on the server. */
  readonly name: string;
  /** The address at which clients call the environment. */
  readonly url: string;
  /** The credentials with which a client signs in. */
  readonly credentials: Credentials;

  /** @internal */
  constructor(ask: Ask, shown: EnvironmentSummary, url: string) {
    super(ask, shown.id);
    this.name = shown.name;
    this.url = url;
    this.credentials = toCredentials(shown);
  }

  /** Waits for a matching call, and returns the first one. @throws MockError on timeout, with a list of other calls */
  async waitForRequest({
    timeout = defaultWait(this),
    ...filter
  }: RequestWait = {}): Promise<RecordedRequest> {
    const [first] = await this.requests({ ...filter, wait: timeout });
    if (first) return first;
    return late('No matching call was made', timeout, (await this.requests()).map(describeCall), 'calls');
  }

  /** Waits for a matching e-mail, and returns the first. @throws MockError on timeout, with a list of other e-mails */
  async waitForEmail({ timeout = defaultWait(this), ...filter }: EmailWait = {}): Promise<Email> {
    const [first] = await this.outbox({ ...filter, wait: timeout });
    if (first) return first;
    const others = (await this.outbox()).map(({ kind, to, subject }) => `  ${kind} to ${to}: ${subject}`);
    return late('No matching e-mail was sent', timeout, others, 'e-mails');
  }

  /**
   * Waits until the status of a connected account is `status`, and returns the account.
   * @param account the account's id, or its connector and identifier, such as `mail/ada@acme.test`. The account need
   * not exist yet.
   * @throws MockError on timeout, with the status that the account has instead
   */
  async waitForStatus(
    account: string,
    status: AccountStatus,
    { timeout = defaultWait(this) }: Timeout = {},
  ): Promise<Account> {
    requireGiven('account', account);
    requireGiven('status', status);
    const end = monotonicNow() + milliseconds(timeout);
    for (;;) {
      const found = await this.#findAccount(account);
      if (found?.status === status) return found;
      if (monotonicNow() >= end) {
        const changes = (await this.events()).map(describeEvent);
        const state = found ? `is ${found.status}` : 'does not exist';
        const what = `The account ${account} ${state} and did not become ${status}`;
        return late(what, timeout, changes, 'changes');
      }
      await delay(PAUSE);
    }
  }

  async #findAccount(named: string): Promise<Account | undefined> {
    const [, connector, identifier = ''] = /^([^/]+)\/(.+)$/s.exec(named) ?? [];
    const query = { query: identifier || named, page_size: 200 };
    const { rows } = await this.ask<'listResources'>('GET', `${this.at}/resources/connected_accounts`, {
      query,
    });
    const found = rows.find((row) =>
      connector === undefined
        ? row.id === named
        : row.identifier === identifier && row.connector === connector.toLowerCase(),
    );
    return found as Account | undefined;
  }

  /**
   * Writes the state of this environment as a scenario file: as JSON if the name ends in `.json`, else as YAML.
   * Replaces an existing file.
   * @throws MockError if the file cannot be written
   */
  async save(file: string): Promise<void> {
    requireGiven('file', file);
    // Imported on demand, because `text.ts` loads a YAML library.
    const { writeScenario } = await import('../model/scenario/text.ts');
    writeText(file, writeScenario(await this.scenario()));
  }

  /** Deletes the environment at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete();
  }
}

/** The highest number of calls, e-mails or changes that an error message lists. */
const MOST_SHOWN = 5;

const late = (what: string, timeout: string, instead: readonly string[], kind: string): never => {
  const shown = instead.slice(-MOST_SHOWN);
  const isCut = shown.length < instead.length;
  const head = isCut
    ? `The last ${shown.length} of ${instead.length} ${kind}`
    : `The ${kind} in this environment`;
  const none = `There are no ${kind} in this environment.`;
  throw new MockError({
    code: 'DEADLINE_EXCEEDED',
    message: `${what} within ${timeout}.`,
    hint: shown.length === 0 ? none : [`${head}:`, ...shown].join('\n'),
  });
};

const describeEvent = ({ type, resource, from, to }: StateEvent): string => {
  const change = from === undefined || to === undefined ? '' : ` from ${from} to ${to}`;
  return `  ${type} ${Object.values(resource).join(' ')}${change}`;
};

/** Converts a timeout to milliseconds. @throws MockError if the timeout is not a duration */
const milliseconds = (timeout: string): number => {
  const ms = parseDuration(String(timeout));
  if (ms !== undefined) return ms;
  throw new MockError({
    code: 'INVALID_ARGUMENT',
    message: `timeout is ${JSON.stringify(timeout)}, but must be a duration.`,
    hint: `Give ${DURATION_HINT}.`,
  });
};

/** The longest wait without a `timeout`, in milliseconds. Below the 5 seconds after which most runners stop a test. */
const LONGEST_WAIT = 4_000;

/** For each environment, the value of `monotonicNow` at which all waits in it must end. */
const ends = new WeakMap<object, number>();

export const endWaitsAt = (environment: object, end: number): void => {
  ends.set(environment, end);
};

const defaultWait = (environment: object): string => {
  const left = (ends.get(environment) ?? Infinity) - monotonicNow();
  return formatDuration(Math.max(0, Math.min(LONGEST_WAIT, Math.floor(left))));
};

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
