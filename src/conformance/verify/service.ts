/** The service under test, as one case sees it: calls with their expected answers, and data that the service holds. */
import { isJsonObject } from '../../engine/contract/document.ts';
import { loadContract } from '../../engine/contract/load.ts';
import { contains, type Difference, differences } from '../../engine/core/contains.ts';
import { ERROR_KINDS, type ErrorCode, Unusable } from '../../engine/core/errors.ts';
import { randomSeed } from '../../engine/core/ids.ts';
import { valueAt } from '../../engine/core/object.ts';
import { withoutTokens } from '../../engine/core/secrets.ts';
import { cut, didYouMean, listNames } from '../../engine/core/text.ts';
import type { OperationId, Schemas } from '../../service/contract.ts';
import { type Access, type Call, exchange, requestToken, send } from './client.ts';
import { someText } from './matchers.ts';
import type { Basis, Reply, ReplyProblem } from './reply-check.ts';

/** An answer was wrong. The case ends, since its next calls depend on that answer. */
export class Failed extends Error {
  constructor(readonly problems: readonly ReplyProblem[]) {
    super(problems.map(({ text }) => text).join('; '));
  }
}

/** A case cannot run against this service. The message says what the case needs, and which flag supplies that. */
export class Missing extends Error {}

/** Ids and names that exist in the tested service. The cases get them from flags such as `--user-id`. */
export interface Data {
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly externalId?: string | undefined;
  /** Used if several connectors have the same type. */
  readonly connector?: string | undefined;
}

const NEEDED = {
  organizationId: 'an organization; set its id with --organization-id',
  userId: 'a user outside the organization; set the id of the user with --user-id',
  externalId: 'the external id of the user in --user-id; set it with --external-id',
} as const satisfies { readonly [Name in keyof Data]?: string };

type Connection = Partial<Schemas['Connection']>;

/** The expected answer to a call. The actual answer can also have other members and items. */
export interface Expected {
  /** The status. Default: the success status of the operation in the contract. */
  readonly status?: number;
  readonly body?: unknown;
  /** Headers, with their names in lower case. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The error_code in an error body. Default: the usual code for the status. */
  readonly error?: ErrorCode;
}

export type ExpectedAnswer = number | Expected;

export interface Exchange {
  readonly operationId: OperationId;
  readonly call: Call;
  readonly reply: Reply;
}

export interface Target extends Access, Data {
  readonly token: string;
  readonly connections: readonly Connection[];
}

/** Gets a token, and reads the connections. @throws Unusable if the service is not responding or issues no token */
export const openTarget = async (options: Access & Data): Promise<Target> => {
  const access = { ...options, token: await requestToken(options) };
  const { body } = await send(access, 'listConnections', { query: { include: 'all' } });
  const listed = valueAt(body, 'connections');
  const connections: Connection[] = Array.isArray(listed) ? listed.filter((one) => isJsonObject(one)) : [];
  requireConnector(options.connector, connections);
  return { ...access, connections };
};

const isUsable = (connection: Connection): boolean =>
  contains({ enabled: true, status: 'COMPLETED' }, connection) && !SIGN_IN.has(connection.type);

/** Connections of these types hold no accounts (behaviour A3). */
const SIGN_IN = new Set<unknown>(['OIDC', 'SAML', 'PASSWORD', 'PASSWORDLESS', 'WEBAUTHN']);

/** @throws Unusable if no case could use the connector that the user named */
const requireConnector = (name: string | undefined, connections: readonly Connection[]): void => {
  const usable = connections.filter(isUsable).flatMap(({ key_id }) => key_id ?? []);
  if (name === undefined || usable.includes(name)) return;
  const listed = connections.find(({ key_id }) => key_id === name);
  const isConnector = listed !== undefined && !SIGN_IN.has(listed.type);
  const reason = isConnector ? 'is not enabled and COMPLETED' : 'is not a connector of the service';
  const meant = didYouMean(name, usable) || ` Choose one of ${listNames(usable)}.`;
  throw new Unusable(`--connector ${name} ${reason}.${meant}`);
};

const run = randomSeed().toString(36);
let names = 0;

/** Sends the calls of one case and checks their answers. Each case has its own instance. */
export class Service {
  /** A name that no data of the service has yet. Differs in each run and each case. */
  readonly unique = `conformance${run}x${++names}`;
  readonly exchanges: Exchange[] = [];
  readonly #undo: Undo[] = [];

  constructor(
    readonly target: Target,
    readonly basis: Basis,
  ) {}

  /** Sends a call. @returns the reply @throws Failed if the reply is not as expected */
  async call(operationId: OperationId, call: Call = {}, expected: ExpectedAnswer = {}): Promise<Reply> {
    const reply = await this.#send(operationId, call);
    this.#expect(operationId, reply, typeof expected === 'number' ? { status: expected } : expected);
    return reply;
  }

  /** Sends a call and expects the status 400 with a violation for each of these fields. */
  refuses(operationId: OperationId, call: Call, ...fields: readonly string[]): Promise<Reply> {
    return this.call(operationId, call, { status: 400, body: violating(fields.map((field) => ({ field }))) });
  }

  /** Opens a link as its user: a mock takes `decision` in place of a click. @throws Missing if a person has to decide */
  async open(link: string, decision: 'approve' | 'deny', expected: Expected = {}): Promise<unknown> {
    const url = new URL(link);
    url.searchParams.set('decision', decision);
    const { status, headers } = await exchange(url.href, {}, this.target);
    if (status === 200)
      throw new Missing('needs a person to follow a link; only a mock follows links by itself');
    const to = new URL(headers.location ?? link, link);
    const body = { location: to.origin + to.pathname, query: Object.fromEntries(to.searchParams) };
    this.#throw(differences(expected.status ?? 302, status, 'the status of the link'));
    this.#throw(differences(expected.body ?? {}, body, 'the address'));
    return body;
  }

  /** The value of a flag such as `--user-id`. @throws Missing if the flag is not set */
  given(name: keyof typeof NEEDED): string {
    return requireFound(this.target[name], NEEDED[name]);
  }

  /** The first connection that matches `like`. @throws Missing, with `description` in its message, if none matches */
  connection(description: string, like: object): Connection {
    const found = this.target.connections.find((one) => contains(like, one));
    return requireFound(found, `${description}, and GET /connections?include=all lists none`);
  }

  /** The `key_id` of an enabled, COMPLETED connector of this type. @throws Missing if the service has no such connector */
  connector(type: Schemas['ConnectionType']): string {
    const { connections, connector } = this.target;
    const usable = connections.filter((one) => one.type === type && isUsable(one));
    const preferred = usable.find(({ key_id }) => key_id === connector) ?? usable[0];
    const words = `a connector of type ${type} that is enabled and COMPLETED; create one, and set --connector to its key_id`;
    return requireFound(preferred?.key_id, words);
  }

  /** A connector of this type, and an identifier that has no account with the connector yet. */
  pair(type: Schemas['ConnectionType']): { readonly connector: string; readonly identifier: string } {
    return { connector: this.connector(type), identifier: `${this.unique}@conformance.test` };
  }

  /** Removes the data that the case created, newest first. @returns a message for each removal that failed */
  async cleanUp(): Promise<readonly string[]> {
    const left: string[] = [];
    for (const [operationId, call] of this.#undo.toReversed()) {
      const reply = await send(this.target, operationId, call).catch(() => undefined);
      if (reply && [200, 204, 404].includes(reply.status)) continue;
      const answered = `${operationId} answered ${reply?.status ?? 'nothing'}: ${JSON.stringify(call)}`;
      left.push(`data of this case was left behind: ${answered}`);
    }
    return left;
  }

  async #send(operationId: OperationId, call: Call): Promise<Reply> {
    let reply: Reply | undefined;
    try {
      reply = await send(this.target, operationId, call);
      this.exchanges.push({ operationId, call, reply });
      return reply;
    } finally {
      const { status = 0 } = reply ?? {};
      const isRefused = call.method !== undefined || (status >= 400 && status < 500);
      const undo = isRefused ? undefined : UNDO[operationId]?.(call, reply);
      if (undo) this.#undo.push(undo);
    }
  }

  #expect(operationId: OperationId, { status, headers, body }: Reply, expected: Expected): void {
    const wanted = expected.status ?? successOf(operationId);
    const where = this.exchanges.length > 1 ? `call ${this.exchanges.length}, ${operationId}: ` : '';
    if (status !== wanted)
      this.#throw([{ words: `the status is ${status}, expected ${wanted}${messageOf(body)}` }], where);
    this.#throw(differences(expected.body ?? {}, body ?? {}, 'body'), where);
    this.#throw(differences(expected.headers ?? {}, headers, 'headers'), where);
    const error_code = expected.error ?? usualError(status);
    if (error_code === undefined || operationId === 'issueToken' || body === undefined) return;
    const error = { code: ERROR_KINDS[error_code].code, message: someText, details: [{ error_code }] }; // behaviour R1
    this.#throw(differences(error, body, 'body'), where, 'inferred');
  }

  #throw(found: readonly Pick<Difference, 'words'>[], where = '', basis: Basis = this.basis): void {
    if (found.length > 0) throw new Failed(found.map(({ words }) => ({ text: where + words, basis })));
  }
}

const requireFound = <Value>(value: Value | undefined, words: string): Value => {
  if (value === undefined) throw new Missing(`needs ${words}`);
  return value;
};

const successOf = (operationId: OperationId): number => {
  const { responses } = loadContract().operation(operationId).definition;
  return Number(Object.keys(responses).find((status) => status.startsWith('2')));
};

/** The message in an error body. */
const messageOf = (body: unknown): string => {
  const message = valueAt(body, 'message');
  return typeof message === 'string' ? `: ${withoutTokens(cut(message, 300))}` : '';
};

export const violating = (field_violations: unknown): object => ({
  details: [{ validation_error_info: { field_violations } }],
});

const usualError = (status: number): ErrorCode | undefined =>
  (Object.keys(ERROR_KINDS) as ErrorCode[]).find((each) => ERROR_KINDS[each].status === status);

/** The call that removes what another call created, if any. `reply` is undefined if that call got no reply. */
type ToUndo = (call: Call, reply: Reply | undefined) => Undo | undefined;
type Undo = readonly [operationId: OperationId, call: Call];

/** A call with an `id` creates no account. */
const deleteAccount: ToUndo = ({ body }) => {
  const { id, connector, identifier } = Object(body);
  return id === undefined ? ['deleteConnectedAccount', { body: { connector, identifier } }] : undefined;
};

const UNDO: Readonly<Partial<Record<OperationId, ToUndo>>> = {
  createConnectedAccount: deleteAccount,
  createMagicLink: deleteAccount,
  createCustomProvider: (_, reply) => {
    const identifier = valueAt(reply?.body, 'provider', 'identifier');
    return typeof identifier === 'string' ? ['deleteCustomProvider', { path: { identifier } }] : undefined;
  },
  createMembership: ({ path = {} }) => ['deleteMembership', { path }],
  createMembershipByExternalId: ({ path = {} }) => ['deleteMembershipByExternalId', { path }],
};
