/** Runs the suite against a server: finds out what is there, runs case by case, and gives everything back. */
import { loadContract } from '../contract/load.ts';
import { createReplyCheck, type ReplyCheck } from '../contract/reply-check.ts';
import { randomSeed } from '../core/ids.ts';
import { valueAt } from './call.ts';
import type { Case, Need } from './case.ts';
import { type Client, createClient, Unreachable } from './client.ts';
import { type Control, findControl } from './control.ts';
import { countResults, type Outcome, resultOf, type Totals } from './outcome.ts';
import { type CaseRun, runCase } from './run-case.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import {
  type Connection,
  createSession,
  type Data,
  type Exchange,
  NEED_REASONS,
  type Target,
} from './session.ts';
import { type Area, SUITE } from './suite.ts';

export interface RunOptions extends Data {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly controlToken?: string | undefined;
  /** Allows cases that change data. */
  readonly write?: boolean | undefined;
  /** Makes inferred cases fail instead of warn. */
  readonly inferred?: boolean | undefined;
  /** Milliseconds that a reply may take. Default: 10 seconds. */
  readonly timeout?: number | undefined;
  /** Stops after the case that is under way. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every case when it has run. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
  /** Told of every call and its reply, those that cases start from included. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Default: all. */
  readonly suite?: readonly Area[] | undefined;
}

export interface Report {
  readonly baseUrl: string;
  readonly outcomes: readonly Outcome[];
  readonly totals: Totals;
  /** Whether the run was stopped before its end. */
  readonly isStopped: boolean;
}

const DEFAULT_TIMEOUT = 10_000;

/**
 * Runs the suite.
 * @throws Unreachable if the server cannot be asked, or gives no token
 */
export const runSuite = async (options: RunOptions): Promise<Report> => {
  const secrets = createSecrets();
  const place = await explore(options, secrets).catch((error: unknown) => {
    throw error instanceof Unreachable ? new Unreachable(secrets.redact(error.message)) : error;
  });
  const outcomes: Outcome[] = [];
  try {
    for (const area of options.suite ?? SUITE) {
      for (const one of area.cases) {
        if (options.signal?.aborted) break;
        const outcome = await runOne(area.name, one, place, options, secrets);
        outcomes.push(outcome);
        options.onOutcome?.(outcome);
      }
    }
  } finally {
    await place.scratch?.control?.remove();
  }
  return {
    baseUrl: options.baseUrl,
    outcomes,
    totals: countResults(outcomes),
    isStopped: options.signal?.aborted ?? false,
  };
};

/** Where cases can run. */
interface Place {
  /** The environment of the client that was named. */
  readonly main: Target;
  /** An environment that was made for the run; absent without a control plane. */
  readonly scratch?: Target;
  /** Why it is absent. */
  readonly reason: string;
  readonly checkReply: ReplyCheck;
  readonly operations: Parameters<typeof createSession>[1];
  /** A name that no case of this or another run has. */
  readonly nextName: () => string;
}

const explore = async (options: RunOptions, secrets: Secrets): Promise<Place> => {
  const { baseUrl, timeout = DEFAULT_TIMEOUT } = options;
  const contract = loadContract();
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const targetOf = async (
    credentials: Target['credentials'],
    data: Data,
    control?: Control,
  ): Promise<Target> => {
    const client = createClient({ baseUrl, credentials, timeout, secrets });
    const connections = await listConnections(client, operations);
    return { client, credentials, data, connections, timeout, ...(control && { control }) };
  };
  const main = await targetOf({ clientId: options.clientId, clientSecret: options.clientSecret }, options);
  const found = await findControl({ baseUrl, controlToken: options.controlToken, timeout, secrets });
  const common = { main, checkReply: createReplyCheck(contract), operations, nextName: createNames() };
  if ('reason' in found) return { ...common, reason: found.reason };
  const scratch = await targetOf(found.control.credentials, DEFAULT_SCENARIO, found.control);
  return { ...common, scratch, reason: '' };
};

const createNames = (): (() => string) => {
  const run = randomSeed().toString(36);
  let count = 0;
  return () => {
    count += 1;
    return `conformance-${run}-${count}`;
  };
};

/** Rows of the scenario `default` that the cases can start from; they are the same in every release. */
const DEFAULT_SCENARIO: Data = {
  organizationId: 'org_100000000000000001',
  userId: 'usr_100000000000000005',
  externalId: 'ext-barbara',
};

const listConnections = async (
  client: Client,
  operations: Place['operations'],
): Promise<readonly Connection[]> => {
  const operation = operations.get('listConnections');
  if (!operation) return [];
  const { body } = await client.send(operation, { query: { include: 'all' } });
  const connections = valueAt(body, 'connections');
  return Array.isArray(connections) ? connections : [];
};

const runOne = async (
  area: string,
  one: Case,
  place: Place,
  { write = false, inferred = false, onExchange }: RunOptions,
  secrets: Secrets,
): Promise<Outcome> => {
  const skipped = (reason: string): Outcome => ({
    area,
    case: one,
    result: 'skipped',
    messages: [reason],
    duration: 0,
    observed: [],
  });
  const needs = new Set<Need>(one.needs);
  if (needs.has('write') && !write) return skipped(NEED_REASONS.write);
  const isForMock = needs.has('control') || needs.has('person');
  if (isForMock && !place.scratch) return skipped(needs.has('person') ? NEED_REASONS.person : place.reason);
  const targets = isForMock ? [place.scratch] : [place.main, place.scratch];
  let run: CaseRun | undefined;
  for (const target of targets) {
    if (!target || (run && run.missing === undefined)) continue;
    await target.control?.reset();
    const session = createSession(target, place.operations, place.nextName());
    run = await runCase(one, session, place.checkReply);
    for (const exchange of session.exchanges) onExchange?.(exchange);
  }
  if (!run || run.missing !== undefined) return skipped(run?.missing ?? place.reason);
  return {
    area,
    case: one,
    result: resultOf(run.problems, one, inferred),
    messages: run.problems.map(({ text }) => secrets.redact(text)),
    duration: run.duration,
    observed: run.observed,
  };
};
