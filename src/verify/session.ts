/** The calls of one case: sent, kept, and taken back when it ends. */
import { valueAt } from '../core/object.ts';
import type { RemoteEnvironment } from '../mock/mock.ts';
import type { OperationId, Schemas } from '../openapi/types.ts';
import {
  type Client,
  type ClientCredentials,
  exchange,
  messageOf,
  type Reply,
  type RequestParts,
} from './http.ts';

/** What the caller of the run knows about the server. */
export interface Data {
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly externalId?: string | undefined;
  /** A connector to prefer over others of its type. */
  readonly connector?: string | undefined;
}

/** A connection as `GET /connections` shows it; another server may leave members out. */
export type Connection = Partial<Schemas['Connection']>;

/** A server, or an environment of it, that cases run against. */
export interface Target {
  readonly client: Client;
  readonly credentials: ClientCredentials;
  readonly data: Data;
  readonly connections: readonly Connection[];
  /** Milliseconds that a reply may take. */
  readonly timeout: number;
  /** The environment on a mock's control plane; absent where there is nothing but the API. */
  readonly mock?: RemoteEnvironment;
  /** Another environment of the same server; absent where there is one alone. */
  readonly elsewhere?: Target;
}

export interface Exchange {
  readonly operationId: OperationId;
  readonly call: RequestParts;
  readonly reply: Reply;
}

export interface Session {
  /** Sends a call and keeps the exchange. What it creates is removed when the case ends. @throws Unreachable */
  call(operationId: OperationId, call: RequestParts): Promise<Reply>;
  /** The body of a success, which a case starts from. @throws Error for anything else */
  obtain(operationId: OperationId, call: RequestParts): Promise<unknown>;
  /** Opens an authorization link; what it answers is no part of the contract. */
  open(link: string, decision?: 'approve' | 'deny'): Promise<Reply>;
  readonly exchanges: readonly Exchange[];
  /** Removes what the case created, newest first. @returns what is left behind, a sentence each */
  cleanUp(): Promise<readonly string[]>;
}

export const createSession = ({ client, timeout }: Target): Session => {
  const exchanges: Exchange[] = [];
  const leftovers: (readonly [OperationId, RequestParts])[] = [];
  const call: Session['call'] = async (operationId, given) => {
    let reply: Reply | undefined;
    try {
      reply = await client.send(operationId, given);
      exchanges.push({ operationId, call: given, reply });
      return reply;
    } finally {
      const leftover = undoing(operationId, given, reply);
      if (leftover) leftovers.push(leftover);
    }
  };
  return {
    call,
    exchanges,
    obtain: async (operationId, given) => {
      const { status, body } = await call(operationId, given);
      if (status >= 200 && status < 300) return body;
      throw new Error(`could not start: ${operationId} answered ${status}${messageOf(body)}`);
    },
    open: (link, decision) => openLink(link, decision, timeout),
    cleanUp: () => cleanUp(leftovers, client),
  };
};

/** The call that takes back what this one created; undefined if it created nothing. @param reply undefined if none came */
const undoing = (
  operationId: OperationId,
  { path = {}, body }: RequestParts,
  reply: Reply | undefined,
): readonly [OperationId, RequestParts] | undefined => {
  const isRefused = reply !== undefined && reply.status >= 400 && reply.status < 500;
  switch (operationId) {
    case 'createConnectedAccount':
    case 'createMagicLink': {
      // An account that was named by its id was there before; a pair is removed even if the reply broke off half way.
      if (isRefused || valueAt(body, 'id') !== undefined) return undefined;
      const pair = { connector: valueAt(body, 'connector'), identifier: valueAt(body, 'identifier') };
      return ['deleteConnectedAccount', { body: pair }];
    }
    case 'createCustomProvider': {
      const identifier = valueAt(reply?.body, 'provider', 'identifier');
      return typeof identifier === 'string' ? ['deleteCustomProvider', { path: { identifier } }] : undefined;
    }
    case 'createMembership':
      return reply?.status === 201 ? ['deleteMembership', { path }] : undefined;
    case 'createMembershipByExternalId':
      return reply?.status === 201 ? ['deleteMembershipByExternalId', { path }] : undefined;
    default:
      return undefined;
  }
};

const cleanUp = async (
  leftovers: readonly (readonly [OperationId, RequestParts])[],
  { send }: Client,
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

/**
 * Opens a link as its user would; a decision takes the place of a click (behaviour V5).
 * @returns a reply whose body says where the user is sent: `location` without its query, and the `query`
 */
const openLink = async (link: string, decision: string | undefined, timeout: number): Promise<Reply> => {
  const url = new URL(link);
  if (decision !== undefined) url.searchParams.set('decision', decision);
  const { status, headers } = await exchange(url.href, {}, timeout);
  if (headers.location === undefined) return { status, headers, body: {} };
  const to = new URL(headers.location, link);
  const body = { location: to.origin + to.pathname, query: Object.fromEntries(to.searchParams) };
  return { status, headers, body };
};
