/** What a case speaks with: calls by the names of what they do, and what they must be answered with. */
import { defined } from '../core/object.ts';
import type { RemoteEnvironment } from '../mock/mock.ts';
import { MockError } from '../mock/mock-error.ts';
import { loadContract } from '../openapi/load.ts';
import type { OperationId, Schemas } from '../openapi/types.ts';
import { type Asked, errorMismatches, Failed, inWords, mismatchesOf } from './asked.ts';
import type { Case, Need } from './case.ts';
import type { Reply, RequestParts } from './http.ts';
import { mismatches, type Pattern } from './pattern.ts';
import type { Connection, Session, Target } from './session.ts';

/** Something the case needs is not there. The message says what, and the flag that gives it. */
export class Missing extends Error {
  override readonly name = 'Missing';
}

/** An authorization link that is opened when it is said what comes of it. */
export interface Opened {
  answers(status: number): Promise<Reply>;
  /** A redirect: `location` is its address without the `query`. */
  leadsTo(redirect: Pattern): Promise<Reply>;
}

/** How accounts are named: by id, or by connector and identifier. */
export interface Address {
  readonly id?: string;
  readonly connector?: string;
  readonly identifier?: string;
}

export interface AccountChanges {
  readonly api_config?: object;
  readonly authorization_details?: object | undefined;
}

/** Ids that the caller of the run did not give throw `Missing`. */
export interface Api {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly externalId: string;
  /** A name that nothing has yet; the same each time within a case. */
  readonly unique: string;
  /** The key_id of a connector of this type that is enabled and COMPLETED. */
  connector(type: Schemas['ConnectionType']): string;
  /** The connector of a type and an identifier that it has no account for yet. */
  pair(type: Schemas['ConnectionType']): { readonly connector: string; readonly identifier: string };
  /** The first connection that fits. @param wanted ends the sentence "needs ..." */
  connection(wanted: string, like: Pattern): Connection;

  /** The operation that the case is about. */
  send(call?: RequestParts): Asked;
  call(operationId: OperationId, call?: RequestParts): Asked;
  /** What a case starts from: the body of a success. */
  obtain: Session['obtain'];

  create(account: Address, more?: AccountChanges): Asked;
  list(query: RequestParts['query']): Asked;
  details(account: Address): Asked;
  auth(account: Address): Asked;
  update(account: Address, changes: AccountChanges): Asked;
  remove(account: Address): Asked;
  verify(authRequestId: string, identifier: string): Asked;
  /** Opens an authorization link, and decides on it unless the server's mode does. */
  open(link: string, decision?: 'approve' | 'deny'): Opened;

  /** The control plane of a mock, in an environment of the run's own. */
  readonly mock: RemoteEnvironment;
  /** Something that the control plane gave is like this. @param place how messages name it */
  demand(place: string, value: unknown, pattern: Pattern): void;
  /** Adds rows as scenarios have them, whether or not they are what a scenario may have. */
  addRows(rows: object): Promise<void>;
  /** Rows like these are refused. @param code such as `INVALID_ARGUMENT` */
  refusesRows(rows: object, code: string): Promise<void>;
  /** A client of another environment. */
  elsewhere(): Promise<{ readonly clientId: string; readonly token: string }>;
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

/** What a case is run with. */
interface Means {
  readonly session: Session;
  readonly unique: string;
  /** Is given every reply that the case has said something about. */
  readonly watch: (operationId: OperationId, reply: Reply) => void;
}

export const createApi = (
  { operationId, basis }: Case,
  target: Target,
  { session, unique, watch }: Means,
): Api => {
  const { data, credentials } = target;
  let count = 0;
  const asked = (id: OperationId, send: () => Promise<Reply>, isOutside = false): Asked => {
    const operation = loadContract().operation(id);
    const answers: Asked['answers'] = async (status, expected = {}) => {
      count += 1;
      const reply = await send();
      watch(id, reply);
      const wrong = mismatchesOf(reply, status, expected);
      const isErrorDue = wrong.length === 0 && !isOutside;
      const wrongError = isErrorDue ? errorMismatches(operation, reply, expected) : [];
      if (wrong.length + wrongError.length === 0) return reply;
      const where = count === 1 ? '' : `step ${count}, ${id}: `;
      throw new Failed([
        ...wrong.map((text) => ({ text: where + text, basis })),
        ...wrongError.map((text) => ({ text: where + text, basis: 'inferred' as const })),
      ]);
    };
    return { answers, ...inWords(operation, answers) };
  };
  const call: Api['call'] = (id, given = {}) => asked(id, () => session.call(id, given));
  const connector: Api['connector'] = (type) => findConnector(target, type);
  return {
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
    get organizationId() {
      return requireGiven(data.organizationId, 'organization');
    },
    get userId() {
      return requireGiven(data.userId, 'user');
    },
    get externalId() {
      return requireGiven(data.externalId, 'externalId');
    },
    unique,
    connector,
    pair: (type) => ({ connector: connector(type), identifier: `${unique}@conformance.test` }),
    connection: (wanted, like) => {
      const found = target.connections.find((one) => mismatches(like, one).length === 0);
      if (!found) throw new Missing(`needs ${wanted}, and GET /connections?include=all lists none`);
      return found;
    },
    call,
    send: (given) => call(operationId, given),
    obtain: session.obtain,
    ...accountCalls(call),
    open: (link, decision) => {
      const { answers } = asked('createMagicLink', () => session.open(link, decision), true);
      return { answers, leadsTo: (redirect) => answers(302, { body: redirect }) };
    },
    get mock() {
      return requireGiven(target.mock, 'control');
    },
    demand: (place, value, pattern) => {
      const wrong = mismatches(pattern, value, place);
      if (wrong.length > 0) throw new Failed(wrong.map((text) => ({ text, basis })));
    },
    ...rowCalls(() => requireGiven(target.mock, 'control')),
    elsewhere: async () => {
      const { client, credentials } = requireGiven(target.elsewhere, 'control');
      return { clientId: credentials.clientId, token: await client.token() };
    },
  };
};

const requireGiven = <Value>(value: Value | undefined, need: Need): Value => {
  if (value === undefined) throw new Missing(NEED_REASONS[need]);
  return value;
};

const findConnector = ({ connections, data }: Target, type: Schemas['ConnectionType']): string => {
  const usable = connections.filter((one) => one.type === type && one.enabled && one.status === 'COMPLETED');
  const preferred = usable.find(({ key_id }) => key_id === data.connector) ?? usable[0];
  if (preferred?.key_id !== undefined) return preferred.key_id;
  throw new Missing(
    `needs a connector of type ${type} that is enabled and COMPLETED; make one, and name it with --connector`,
  );
};

const addressOf = ({ id, connector, identifier }: Address) =>
  id === undefined ? defined({ connector, identifier }) : { id };

const accountCalls = (call: Api['call']) =>
  ({
    create: ({ connector, identifier }, connected_account) =>
      call('createConnectedAccount', { body: { connector, identifier, connected_account } }),
    list: (query = {}) => call('listConnectedAccounts', { query }),
    details: (account) => call('getConnectedAccountDetails', { query: addressOf(account) }),
    auth: (account) => call('getConnectedAccountAuth', { query: addressOf(account) }),
    update: (account, connected_account) =>
      call('updateConnectedAccount', { body: { ...addressOf(account), connected_account } }),
    remove: (account) => call('deleteConnectedAccount', { body: addressOf(account) }),
    verify: (auth_request_id, identifier) =>
      call('verifyConnectedAccountUser', { body: { auth_request_id, identifier } }),
  }) satisfies Partial<Api>;

const rowCalls = (mock: () => RemoteEnvironment) => {
  const addRows: Api['addRows'] = (rows) => mock().patchState(rows); // whether they fit is for the server to say
  const refusesRows: Api['refusesRows'] = async (rows, wanted) => {
    const outcome = await addRows(rows).then(
      () => 'are taken',
      (error: unknown) => {
        if (error instanceof MockError) return error.code;
        throw error;
      },
    );
    if (outcome === wanted) return;
    const text = `the rows ${JSON.stringify(rows)} should be refused with ${wanted}, but ${outcome}`;
    throw new Failed([{ text, basis: 'promised' }]);
  };
  return { addRows, refusesRows };
};
