/** Finds out what there is to run against: the environment of the named client, and one of our own on a mock. */

import { randomSeed } from '../core/ids.ts';
import type { ContractOperation } from '../openapi/load.ts';
import { loadContract } from '../openapi/load.ts';
import { createReplyCheck, type ReplyCheck } from '../openapi/reply-check.ts';
import type { OperationId } from '../openapi/types.ts';
import { valueAt } from './call.ts';
import { type Client, type Credentials, createClient } from './client.ts';
import { type Control, findControl } from './control.ts';
import { ACME, STRANGER, STRANGERS_EXTERNAL_ID } from './default-rows.ts';
import type { Secrets } from './secrets.ts';
import type { Connection, Data, Target } from './session.ts';

export interface PlaceOptions extends Data {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly controlToken?: string | undefined;
  /** Milliseconds that a reply may take. */
  readonly timeout: number;
  readonly secrets: Secrets;
}

/** Where cases can run. */
export interface Place {
  /** The environment of the client that was named. */
  readonly main: Target;
  /** An environment that was made for the run; absent without a control plane. */
  readonly scratch?: Target;
  /** Why it is absent. */
  readonly reason: string;
  readonly checkReply: ReplyCheck;
  readonly operations: ReadonlyMap<OperationId, ContractOperation>;
  /** A name that nothing of this or another run has. */
  readonly nextName: () => string;
}

/** @throws Unreachable if the server cannot be asked, or gives no token */
export const explore = async (options: PlaceOptions): Promise<Place> => {
  const contract = loadContract();
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const targetOf = (credentials: Credentials, data: Data, control?: Control) =>
    findTarget(options, operations, credentials, data, control);
  const main = await targetOf({ clientId: options.clientId, clientSecret: options.clientSecret }, options);
  const common = { main, checkReply: createReplyCheck(contract), operations, nextName: createNames() };
  const found = await findControl(options);
  if ('reason' in found) return { ...common, reason: found.reason };
  const made = await targetOf(found.control.credentials, DEFAULT_SCENARIO, found.control);
  return { ...common, scratch: { ...made, elsewhere: main }, reason: '' };
};

/** What a run may start from where it is given nothing of its own. */
const DEFAULT_SCENARIO: Data = {
  organizationId: ACME,
  userId: STRANGER.id,
  externalId: STRANGERS_EXTERNAL_ID,
};

const findTarget = async (
  { baseUrl, timeout, secrets }: PlaceOptions,
  operations: Place['operations'],
  credentials: Credentials,
  data: Data,
  control: Control | undefined,
): Promise<Target> => {
  const client = createClient({ baseUrl, credentials, timeout, secrets });
  await client.token();
  const connections = await listConnections(client, operations);
  return { client, credentials, data, connections, timeout, ...(control && { control }) };
};

/** Through the API, as any client would; a server that has no such list has no connectors to offer. */
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

const createNames = (): (() => string) => {
  const run = randomSeed().toString(36);
  let count = 0;
  return () => {
    count += 1;
    return `conformance${run}x${count}`;
  };
};
