/** What a server has, and what cases can name: connections of each kind, entries of the log, and what flags say. */
import { contains } from '../engine/core/contains.ts';
import { Unusable } from '../engine/core/errors.ts';
import { valueAt } from '../engine/core/object.ts';
import { didYouMean, listNames } from '../engine/core/text.ts';
import type { OperationId } from '../service/contract.ts';
import { like } from './matchers.ts';
import { type Door, type SentCall, toRequest } from './request.ts';

/** Connections of these types sign users in, and hold no accounts (behaviour A3). */
const SIGN_IN = /^(OIDC|SAML|PASSWORD|PASSWORDLESS|WEBAUTHN)$/;

/** Connections that are neither usable connectors nor named by their type. */
const SPECIAL = {
  disabled: { type: 'OAUTH', enabled: false },
  draft: { type: 'OAUTH', status: 'DRAFT' },
  signIn: { type: like(/^(OIDC|SAML)$/) },
};

const NEEDED: Readonly<Record<string, string>> = {
  disabled: 'a disabled OAUTH connection',
  draft: 'an OAUTH connection that is a DRAFT',
  signIn: 'a sign-in connection',
  organization: 'an organization; set its id with --organization-id',
  user: 'a user outside the organization; set the id of the user with --user-id',
  external: 'the external id of the user in --user-id; set it with --external-id',
  entries: 'two entries in the log of authentication requests',
};

/** What to say of a thing that the server does not have; undefined if no server would. */
export const whyMissing = (name: string): string | undefined => {
  if (!/^[A-Z\d_]+$/.test(name)) return NEEDED[name];
  return `a connector of type ${name} that is enabled and COMPLETED; set --connector to its key_id`;
};

export const listIn = (body: unknown, name: string): readonly unknown[] => [valueAt(body, name) ?? []].flat();

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Asks a server for its connections and newest log entries. @param connector preferred among connectors of its type
 * @throws Unusable if no case could use that connector
 */
export const findThings = async (
  door: Omit<Door, 'things'>,
  { clientId, clientSecret }: Client,
  connector?: string,
): Promise<Record<string, unknown>> => {
  const ask = (id: OperationId, call: SentCall) => door.send(toRequest(id, call, door.token));
  const connections = listIn((await ask('listConnections', { query: 'include=all' })).body, 'connections');
  const entries = listIn((await ask('listAuthenticationRequests', { query: 'page_size=2' })).body, 'authRequests');
  const textOf = (each: unknown, name: string) => String(valueAt(each, name));
  const isUsable = (each: unknown) =>
    contains({ enabled: true, status: 'COMPLETED' }, each) && !SIGN_IN.test(textOf(each, 'type'));
  const usable = connections.filter(isUsable);
  const preferred = usable.filter((each) => textOf(each, 'key_id') === connector);
  if (connector !== undefined && preferred.length === 0) {
    const names = usable.map((each) => textOf(each, 'key_id'));
    const advice = didYouMean(connector, names) || ` Choose one of ${listNames(names)}.`;
    throw new Unusable(`--connector ${connector} is not an enabled and COMPLETED connector.${advice}`);
  }
  return {
    ...Object.fromEntries([...usable.toReversed(), ...preferred].map((each) => [textOf(each, 'type'), each])),
    ...Object.fromEntries(
      Object.entries(SPECIAL).map(([name, shape]) => [name, connections.find((each) => contains(shape, each))]),
    ),
    ...(entries.length === 2 && { entries }),
    clientId,
    clientSecret,
    basic: Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64'),
  };
};
