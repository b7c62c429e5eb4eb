/** What a server has, and what cases can name: connections of each kind, entries of the log, and what flags say. */
import { contains } from '../engine/core/contains.ts';
import { valueAt } from '../engine/core/object.ts';
import type { OperationId } from '../service/contract.ts';
import { like } from './matchers.ts';
import { type Door, type SentCall, toRequest } from './request.ts';

/** Connections of these types sign users in, and hold no accounts (behaviour A3). */
const SIGN_IN = /^(OIDC|SAML|PASSWORD|PASSWORDLESS|WEBAUTHN)$/;

/** What cases name beside connectors by their type. Those with a shape are connections. */
const OTHERS: Readonly<Record<string, { readonly words: string; readonly shape?: object }>> = {
  disabled: { words: 'a disabled OAUTH connection', shape: { type: 'OAUTH', enabled: false } },
  draft: { words: 'an OAUTH connection that is a DRAFT', shape: { type: 'OAUTH', status: 'DRAFT' } },
  signIn: { words: 'a sign-in connection', shape: { type: like(/^(OIDC|SAML)$/) } },
  organization: { words: 'an organization; set its id with --organization-id' },
  user: { words: 'a user outside the organization; set the id of the user with --user-id' },
  external: { words: 'the external id of the user in --user-id; set it with --external-id' },
  entries: { words: 'two entries in the log of authentication requests' },
};

/** What to say of a thing that the server does not have; undefined if no server would. */
export const whyMissing = (name: string): string | undefined =>
  /^[A-Z\d_]+$/.test(name) ? `a connector of type ${name} that is enabled and COMPLETED` : OTHERS[name]?.words;

export const listIn = (body: unknown, name: string): readonly unknown[] => [valueAt(body, name) ?? []].flat();

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Asks a server for its connections and newest log entries. Of several connectors of a type, cases use the first. */
export const findThings = async (
  door: Omit<Door, 'things'>,
  { clientId, clientSecret }: Client,
): Promise<Record<string, unknown>> => {
  const ask = (id: OperationId, call: SentCall) => door.send(toRequest(id, call, door.token));
  const connections = listIn((await ask('listConnections', { query: 'include=all' })).body, 'connections');
  const entries = listIn((await ask('listAuthenticationRequests', { query: 'page_size=2' })).body, 'authRequests');
  const typeOf = (each: unknown) => String(valueAt(each, 'type'));
  const isUsable = (each: unknown) =>
    contains({ enabled: true, status: 'COMPLETED' }, each) && !SIGN_IN.test(typeOf(each));
  const usable = connections.filter(isUsable).toReversed();
  return {
    ...Object.fromEntries(usable.map((each) => [typeOf(each), each])),
    ...Object.fromEntries(
      Object.entries(OTHERS).map(([name, { shape }]) => [
        name,
        shape && connections.find((each) => contains(shape, each)),
      ]),
    ),
    ...(entries.length === 2 && { entries }),
    clientId,
    clientSecret,
    basic: Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64'),
  };
};
