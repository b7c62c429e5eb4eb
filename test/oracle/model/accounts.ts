/**
 * Accounts as the document and behaviour A1 to A9 describe them, implemented a second time and in another way. Each
 * operation changes the world, and returns the status that the mock must answer.
 */
import {
  type Account,
  CONNECTORS,
  type Connector,
  hasEnded,
  type Standing,
  TTL,
  type World,
} from './world.ts';

/** What a caller sends as credentials: none, of the wrong kind, or of the right kind, with a refresh token or not. */
export type Sent = 'none' | 'wrong' | 'fitting' | 'refreshable';

/** How a call names an account: by id, or by connector in any letter case and identifier; also by organization. */
export interface Address {
  id?: string;
  connector?: string;
  identifier?: string;
  organization_id?: string | undefined;
}

export const connectorOf = (name = ''): Connector | undefined => CONNECTORS[name.toLowerCase()];

export const find = (
  world: World,
  { id, connector, identifier, organization_id }: Address,
): Account | undefined =>
  world.accounts.find(
    (account) =>
      (id === undefined
        ? account.connector === connector?.toLowerCase() && account.identifier === identifier
        : account.id === id) &&
      (organization_id === undefined || organization_id === account.organization_id),
  );

/** The members of an account that lists and single answers both show (behaviour A8, V3). */
export const shown = (world: World, account: Account) => ({
  id: account.id,
  connector: account.connector,
  identifier: account.identifier,
  status: isBeingVerified(world, account) ? 'PENDING_VERIFICATION' : statusOf(world, account),
  token_expires_at: timestamp(account.end),
  last_used_at: timestamp(account.used),
});

const timestamp = (instant: number | undefined): string | undefined =>
  instant === undefined ? undefined : new Date(instant).toISOString();

const isBeingVerified = (world: World, { id }: Account): boolean =>
  Object.values(world.requests).some(({ account, end }) => account === id && !hasEnded(end, world));

const statusOf = (world: World, account: Account): string =>
  account.standing !== 'DISCONNECTED' && hasEnded(account.end, world) && !canRefresh(account)
    ? 'EXPIRED'
    : account.standing;

const canRefresh = ({ grants, held }: Account): boolean => grants && held === 'refreshable';

export const endRequests = (world: World, id: string): void => {
  for (const [request, { account }] of Object.entries(world.requests))
    if (account === id) delete world.requests[request];
};

/** Behaviour A6: the members of an account that credentials change. Undefined if they do not make it usable. */
const madeLive = (
  world: World,
  { type, serverless }: Connector,
  sent: Sent,
): Partial<Account> | undefined => {
  if (type === 'NO_AUTH') return { held: 'nothing', end: undefined };
  if (sent === 'none' && !serverless) return undefined;
  if (type === 'OAUTH') return { held: sent === 'refreshable' ? 'refreshable' : 'fixed', end: undefined };
  if (type === 'API_KEY') return { held: 'fixed', end: undefined };
  return { held: 'refreshable', end: world.now + TTL.token };
};

/** Behaviour A5: whether the credentials fit the connector. A connector without authorization takes none. */
const fits = ({ type }: Connector, sent: Sent): boolean =>
  sent === 'none' || (sent !== 'wrong' && type !== 'NO_AUTH');

/** Behaviour A3 to A6: the checks for 400, 403 and 409 are made in this order. */
export const create = (world: World, address: Address, sent: Sent, config: object, id: string): number => {
  const { connector: name, identifier } = address;
  const connector = connectorOf(name);
  if (!connector || connector.type === 'OIDC' || !fits(connector, sent)) return 400;
  if (connector.enabled === false) return 403;
  if (find(world, { connector: name ?? '', identifier: identifier ?? '' })) return 409;
  const live = madeLive(world, connector, sent);
  open(world, address, id, { config, ...live, ...(live && { standing: 'ACTIVE' }) });
  return 201;
};

export const open = (world: World, address: Address, id: string, more: Partial<Account> = {}): void => {
  world.accounts.push({
    id,
    connector: address.connector?.toLowerCase() ?? '',
    identifier: address.identifier ?? '',
    organization_id: address.organization_id,
    standing: 'PENDING_AUTH',
    grants: true,
    held: 'nothing',
    config: {},
    ...more,
  });
};

/** Behaviour A7: an update with only an access token keeps the old refresh token. */
export const update = (world: World, address: Address, sent: Sent, config: object): number => {
  const account = find(world, address);
  const connector = connectorOf(account?.connector);
  if (!account || !connector) return 404;
  if (!fits(connector, sent)) return 400;
  Object.assign(account.config, structuredClone(config));
  const live = sent === 'none' ? undefined : madeLive(world, connector, sent);
  if (!live) return 200;
  const held = account.held === 'refreshable' ? account.held : live.held;
  Object.assign(account, live, { held, standing: 'ACTIVE', grants: true });
  endRequests(world, account.id);
  return 200;
};

/** Behaviour A9. */
export const remove = (world: World, address: Address): number => {
  const account = find(world, address);
  if (!account) return 404;
  endRequests(world, account.id);
  world.accounts.splice(world.accounts.indexOf(account), 1);
  for (const [token, link] of Object.entries(world.links))
    if (link.account === account.id) delete world.links[token];
  return 200;
};

/** Behaviour A8: refreshes an expired token once, and records the use. @returns whether `/auth` shows credentials */
export const handOut = (world: World, account: Account): boolean => {
  if (account.standing === 'ACTIVE' && hasEnded(account.end, world) && canRefresh(account))
    account.end = world.now + TTL.token;
  const isLive =
    account.held !== 'nothing' && !['EXPIRED', 'DISCONNECTED'].includes(statusOf(world, account));
  if (isLive) account.used = world.now;
  return isLive;
};

/** The control actions, which stand for what a provider does on its own (behaviour A8). */
export const act = (world: World, id: string, action: string): number => {
  const account = find(world, { id });
  if (!account) return 404;
  const { type } = connectorOf(account.connector) ?? {};
  const hasRefresh = type !== 'API_KEY' && type !== 'NO_AUTH';
  if (action === 'expire') Object.assign(account, { end: world.now, standing: connected(account) });
  if (action === 'expire' || action === 'revoke') account.grants = false;
  if (action === 'expire' || action === 'disconnect') endRequests(world, id);
  if (action === 'disconnect') account.standing = 'DISCONNECTED';
  if (action !== 'grant') return 200;
  account.grants = true;
  if (hasRefresh) return 200;
  account.standing = connected(account);
  if (hasEnded(account.end, world)) account.end = undefined;
  return 200;
};

const connected = ({ standing, held, connector }: Account): Standing => {
  if (standing !== 'DISCONNECTED') return standing;
  const { type, serverless } = connectorOf(connector) ?? {};
  return held !== 'nothing' || type === 'NO_AUTH' || serverless ? 'ACTIVE' : 'PENDING_AUTH';
};
