/// <reference lib="esnext.disposable" preserve="true" />
/** Lets tests control an isolated environment (behaviour E1), and wait for its calls, e-mails and status changes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../engine/control/generated.ts';
import { monotonicNow } from '../engine/core/clock.ts';
import { show } from '../engine/core/contains.ts';
import { didYouMean } from '../engine/core/text.ts';
import type { Ask } from './ask.ts';
import { EnvironmentCalls } from './calls.ts';
import {
  EMAIL_WAIT,
  REQUEST_WAIT,
  requireConditions,
  requireGiven,
  requireNames,
  requireText,
} from './given.ts';
import { invalid, MockError } from './mock-error.ts';
import type {
  Account,
  AccountStatus,
  Email,
  EmailFilter,
  RecordedRequest,
  RequestFilter,
  StateEvent,
} from './published-types.ts';
import { late, readTimeout, type Timeout } from './waits.ts';
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

/** Which call to wait for, and how long. */
export interface RequestWait extends Omit<RequestFilter, 'wait'>, Timeout {}

/** Which e-mail to wait for, and how long. */
export interface EmailWait extends Omit<EmailFilter, 'wait'>, Timeout {}

export const toCredentials = (shown: Partial<EnvironmentSummary>): Credentials => ({
  clientId: shown.client_id ?? '',
  clientSecret: shown.client_secret ?? '',
  accessToken: shown.access_token ?? '',
});

/** Sentry's tracer reads its own header only, most others read `traceparent` (W3C). */
type TraceHeaders = Readonly<Record<'traceparent' | 'sentry-trace', string>>;

const toTraceHeaders = (traceId: string): TraceHeaders => {
  const span = traceId.slice(16);
  return { traceparent: `00-${traceId}-${span}-01`, 'sentry-trace': `${traceId}-${span}` };
};

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
  /** Headers for calls to a back end with a tracer, so that its calls to the mock go to this environment (behaviour E9). */
  readonly traceHeaders: TraceHeaders;
  #isDeleted = false;

  /** @internal */
  constructor(ask: Ask, shown: EnvironmentSummary, url: string) {
    super(ask, shown.id);
    this.name = shown.name;
    this.url = url;
    this.credentials = toCredentials(shown);
    this.traceHeaders = toTraceHeaders(shown.trace_id);
  }

  /** Waits for a matching call, and returns the first one. @throws MockError on timeout, with a list of other calls */
  async waitForRequest(given: RequestWait = {}): Promise<RecordedRequest> {
    const { timeout, ...filter } = requireConditions(given, REQUEST_WAIT);
    const { wait } = readTimeout(timeout);
    const [first] = await this.requests({ ...filter, wait });
    if (first) return first;
    return late('No matching call was made', wait, (await this.requests()).map(describeCall), 'calls');
  }

  /** Waits for a matching e-mail, and returns the first. @throws MockError on timeout, with a list of other e-mails */
  async waitForEmail(given: EmailWait = {}): Promise<Email> {
    const { timeout, ...filter } = requireConditions(given, EMAIL_WAIT);
    const { wait } = readTimeout(timeout);
    const [first] = await this.outbox({ ...filter, wait });
    if (first) return first;
    const others = (await this.outbox()).map(({ kind, to, subject }) => `  ${kind} to ${to}: ${subject}`);
    return late('No matching e-mail was sent', wait, others, 'e-mails');
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
    try {
      // Not from the API, whose journal would then have the call.
      const path = { kind: 'connected_accounts', id: named } as const;
      return (await this.ask('getRow', { path })).api as unknown as Account;
    } catch (error) {
      if (error instanceof MockError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /**
   * Writes the state of this environment as a scenario file: as JSON if the name ends in `.json`, else as YAML.
   * Replaces an existing file.
   * @throws MockError if the file cannot be written
   */
  async save(file: string): Promise<void> {
    requireText('file', file);
    // Imported on demand, because `text.ts` loads a YAML library.
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
    if (this.#isDeleted) return;
    await this.delete().catch((error: unknown) => {
      if (!(error instanceof MockError) || error.code !== 'NOT_FOUND') throw error; // somebody else has deleted it
    });
  }
}

/** The type makes sure that no status is missing. */
const STATUSES: Readonly<Record<AccountStatus, true>> = {
  ...{ ACTIVE: true, EXPIRED: true, DISCONNECTED: true },
  ...{ PENDING_AUTH: true, PENDING_VERIFICATION: true },
};

/** @throws MockError for an unknown status, since no account would ever get it */
const requireStatus = (status: unknown): void => {
  const given = requireGiven('status', status);
  if (typeof given === 'string' && Object.hasOwn(STATUSES, given)) return;
  const known = Object.keys(STATUSES);
  throw invalid(
    `status is ${show(status)}, but must be one of ${known.join(', ')}.`,
    didYouMean(String(status), known).trim() || 'Correct the status.',
  );
};

const describeEvent = ({ type, resource, from, to }: StateEvent): string => {
  const change = from === undefined || to === undefined ? '' : ` from ${from} to ${to}`;
  return `  ${type} ${Object.values(resource).join(' ')}${change}`;
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
