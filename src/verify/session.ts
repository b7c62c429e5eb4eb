/** What one case works with: the server, ids that are there, names that are not, and the clearing up afterwards. */
import type { ContractOperation } from '../openapi/load.ts';
import type { OperationId, Schemas } from '../openapi/types.ts';
import { type Call, type Reply, valueAt } from './call.ts';
import type { Need } from './case.ts';
import { cleanUpAfter } from './clean-up.ts';
import type { Client, Credentials } from './client.ts';
import type { Control } from './control.ts';
import { followLink } from './redirect.ts';

export type ConnectionType = Schemas['ConnectionType'];

/** What the caller of the run knows about the server. */
export interface Data {
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly externalId?: string | undefined;
  /** A connector to prefer over others of its type. */
  readonly connector?: string | undefined;
}

/** A server, or an environment of it, that cases run against. */
export interface Target {
  readonly client: Client;
  readonly credentials: Credentials;
  readonly data: Data;
  readonly connections: readonly Connection[];
  readonly timeout: number;
  /** Absent where nothing but the API is there. */
  readonly control?: Control;
  /** Another environment; absent where there is one alone. */
  readonly elsewhere?: Target;
}

/** A connection as `GET /connections` shows it; another server may leave members out. */
export type Connection = Partial<Schemas['Connection']>;

/** Something the case needs is not there. The message says what, and the flag that gives it. */
export class Missing extends Error {
  override readonly name = 'Missing';
}

/** The server answered what the case could not start from. */
export class Unprepared extends Error {
  override readonly name = 'Unprepared';
}

/** What the functions of a case read. Ids that nobody gave throw `Missing`. */
export interface Context {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly externalId: string;
  /** A name that nothing has yet; the same each time within a case. */
  readonly unique: string;
  /** The key_id of a connector of this type that is enabled and COMPLETED. */
  connector(type: ConnectionType): string;
  /** The first connection that fits. @param wanted ends the sentence "needs ..." */
  connection(fits: (connection: Connection) => boolean, wanted: string): Connection;
}

export interface Exchange {
  readonly operationId: OperationId;
  readonly call: Call;
  readonly reply: Reply;
}

export interface Session extends Context {
  /** Sends a call and keeps the exchange. What it creates is removed when the case ends. */
  call(operationId: OperationId, call: Call): Promise<Reply>;
  /** The same for what a case starts from. @throws Unprepared for another status */
  obtain(operationId: OperationId, call: Call, status?: number): Promise<unknown>;
  /** @throws Missing without a control plane */
  readonly control: Control;
  /** A client of another environment. @throws Missing without a control plane */
  elsewhere(): Promise<{ readonly clientId: string; readonly token: string }>;
  readonly exchanges: readonly Exchange[];
  /** Removes what the case created, newest first. @returns what is left behind, a sentence each */
  cleanUp(): Promise<readonly string[]>;
}

/** What is said of a need that nothing meets. */
export const NEED_REASONS: Readonly<Record<Need, string>> = {
  write: 'changes data; allow it with --write',
  organization: 'needs an organization; name one with --organization-id',
  user: 'needs a user who is no member of the organization; name one with --user-id',
  externalId: 'needs the external id of that user; give it with --external-id',
  person:
    'needs somebody who follows a link; against a mock with an open control plane (--control-token) it is done for you',
  control: 'needs the control plane of a mock',
};

export const createSession = (
  target: Target,
  operations: ReadonlyMap<OperationId, ContractOperation>,
  unique: string,
): Session => {
  const { data, credentials, client } = target;
  const exchanges: Exchange[] = [];
  const leftovers: (readonly [OperationId, Call])[] = [];
  const control = (): Control => {
    if (!target.control) throw new Missing(NEED_REASONS.control);
    return target.control;
  };
  const send = async (operationId: OperationId, call: Call): Promise<Reply> => {
    if (call.follow) {
      if (!target.control) throw new Missing(NEED_REASONS.person);
      return followLink(call.follow.link, call.follow.decision, target.timeout);
    }
    if (call.control) return control().ask(call.control);
    const operation = operations.get(operationId);
    if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
    return client.send(operation, call);
  };
  const call: Session['call'] = async (operationId, given) => {
    let reply: Reply | undefined;
    try {
      reply = await send(operationId, given);
      exchanges.push({ operationId, call: given, reply });
      return reply;
    } finally {
      const leftover = cleanUpAfter(operationId, given, reply);
      if (leftover) leftovers.push(leftover);
    }
  };
  return {
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
    unique,
    exchanges,
    call,
    get organizationId() {
      return requireData(data.organizationId, 'organization');
    },
    get userId() {
      return requireData(data.userId, 'user');
    },
    get externalId() {
      return requireData(data.externalId, 'externalId');
    },
    get control() {
      return control();
    },
    elsewhere: async () => {
      if (!target.elsewhere) throw new Missing(NEED_REASONS.control);
      const { client, credentials } = target.elsewhere;
      return { token: await client.token(), clientId: credentials.clientId };
    },
    connector: (type) => findConnector(target, type),
    connection: (fits, wanted) => {
      const found = target.connections.find(fits);
      if (!found) throw new Missing(`needs ${wanted}, and GET /connections?include=all lists none`);
      return found;
    },
    obtain: async (operationId, given, status = 200) => {
      const { status: got, body } = await call(operationId, given);
      if (got === status) return body;
      const message = String(valueAt(body, 'message') ?? 'no message');
      throw new Unprepared(
        `could not start: ${operationId} answered ${got} instead of ${status}: ${message}`,
      );
    },
    cleanUp: () => cleanUp(leftovers, send),
  };
};

const requireData = (value: string | undefined, need: Need): string => {
  if (value === undefined) throw new Missing(NEED_REASONS[need]);
  return value;
};

const findConnector = ({ connections, data }: Target, type: ConnectionType): string => {
  const usable = connections.filter((one) => one.type === type && one.enabled && one.status === 'COMPLETED');
  const preferred = usable.find(({ key_id }) => key_id === data.connector) ?? usable[0];
  if (preferred?.key_id !== undefined) return preferred.key_id;
  throw new Missing(
    `needs a connector of type ${type} that is enabled and COMPLETED; make one, and name it with --connector`,
  );
};

/** Removes newest first, so that what others rest on goes last. */
const cleanUp = async (
  leftovers: readonly (readonly [OperationId, Call])[],
  send: (operationId: OperationId, call: Call) => Promise<Reply>,
): Promise<readonly string[]> => {
  const failed: string[] = [];
  for (const [operationId, call] of leftovers.toReversed()) {
    const status = await send(operationId, call).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 200 || status === 204 || status === 404) continue;
    failed.push(`left behind, ${operationId} answered ${status || 'nothing'}: ${JSON.stringify(call)}`);
  }
  return failed;
};
