/// <reference lib="esnext.disposable" preserve="true" />
/** Lets tests control an isolated environment (behaviour E1), and wait for its calls, e-mails and status changes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../engine/control/generated.ts';
import { monotonicNow } from '../engine/core/clock.ts';
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
import { STATUSES } from './generated.ts';
import { EMAILS, MockError, REQUESTS, requireChoice, requireText, requireWait } from './given.ts';
import { formatCall } from './log.ts';
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
    const {
      client_id: clientId = '',
      client_secret: clientSecret = '',
      access_token: accessToken = '',
    } = shown;
    this.credentials = { clientId, clientSecret, accessToken };
    const trace = `${shown.trace_id}-${shown.trace_id.slice(16)}`;
    // Sentry's tracer reads its own header only, most others read `traceparent` (W3C).
    this.traceHeaders = { traceparent: `00-${trace}-01`, 'sentry-trace': trace };
  }

  /** Waits for a matching call, and returns the first one. @throws MockError on timeout, with a list of other calls */
  async waitForRequest(given: RequestWait = {}): Promise<RecordedRequest> {
    const { filter, wait } = requireWait(given, REQUESTS);
    const [first] = await this.requests({ ...filter, wait });
    if (first) return first;
    throw late('No matching call was made', wait, (await this.requests()).map(describeCall), 'calls');
  }

  /** Waits for a matching e-mail, and returns the first. @throws MockError on timeout, with a list of other e-mails */
  async waitForEmail(given: EmailWait = {}): Promise<Email> {
    const { filter, wait } = requireWait(given, EMAILS);
    const [first] = await this.outbox({ ...filter, wait });
    if (first) return first;
    throw late('No matching e-mail was sent', wait, (await this.outbox()).map(describeEmail), 'e-mails');
  }

  /**
   * Waits until the status of a connected account is `status`, and returns the account, which need not exist yet.
   * @param account the account's id, or its connector and identifier, such as `mail/ada@acme.test`
   * @throws MockError for an unknown status, or on timeout, with the status that the account has instead
   */
  async waitForStatus(account: string, status: AccountStatus, options: Timeout = {}): Promise<Account> {
    requireText('account', account);
    requireChoice('status', status, STATUSES); // no account would ever get another
    const { ms, wait } = requireWait(options);
    const end = monotonicNow() + ms;
    for (;;) {
      const found = await this.#findAccount(account);
      if (found?.status === status) return found;
      if (monotonicNow() >= end) {
        const changes = (await this.events()).map(describeEvent);
        const state = found ? `is ${found.status}` : 'does not exist';
        const what = `The account ${account} ${state} and did not become ${status}`;
        throw late(what, wait, changes, 'changes');
      }
      await delay(PAUSE);
    }
  }

  /** Not from the API, whose journal would then have the call. */
  async #findAccount(id: string): Promise<Account | undefined> {
    const path = { kind: 'connected_accounts', id } as const;
    return (await this.ask('getRow', { path }).catch(unlessMissing))?.api as unknown as Account | undefined;
  }

  /** Writes the state as a scenario file, which replaces an existing one. @throws MockError if the file cannot be written */
  async save(file: string): Promise<void> {
    requireText('file', file);
    // Imported on demand, because `scenario-text.ts` loads a YAML library.
    const { writeScenario } = await import('../engine/scenario/scenario-text.ts');
    writeText(file, writeScenario(await this.scenario()));
  }

  /** Deletes the environment and everything in it. */
  async delete(): Promise<void> {
    await this.ask('deleteEnvironment');
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

const MOST_SHOWN = 5;

/** The error when the time is up. Its message lists what happened instead. */
const late = (what: string, wait: string, instead: readonly string[], kind: string): MockError => {
  const shown = instead.slice(-MOST_SHOWN);
  const number = shown.length < instead.length ? `last ${shown.length} of ${instead.length} ${kind}` : kind;
  const none = `There are no ${kind} in this environment.`;
  const hint = shown.length === 0 ? none : [`The ${number} in this environment:`, ...shown].join('\n');
  return new MockError({ code: 'DEADLINE_EXCEEDED', message: `${what} within ${wait}.`, hint });
};

const describeEvent = ({ type, resource, from, to }: StateEvent): string => {
  const change = from === undefined || to === undefined ? '' : ` from ${from} to ${to}`;
  return `  ${type} ${Object.values(resource).join(' ')}${change}`;
};

export const describeEmail = ({ kind, to, subject }: Email): string => `  ${kind} to ${to}: ${subject}`;

/** Describes a call, such as `POST /api/v1/connected_accounts 400 createConnectedAccount: identifier is missing`. */
export const describeCall = (call: RecordedRequest): string => {
  const { request, status, operation, reason, warnings, fault } = call;
  return [
    `  ${formatCall({ method: request.method, path: request.url, status, operation, reason })}`,
    ...(fault === undefined ? [] : [`    fault ${fault} took effect on this call`]),
    ...warnings.map((warning) => `    ${warning}`),
  ].join('\n');
};
