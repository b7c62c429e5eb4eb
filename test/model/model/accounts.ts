/** Accounts as the document and behaviour A1 to A9 have them, written down a second time and in another way. */
import {
  type Account,
  CONNECTORS,
  type Connector,
  type Foreseen,
  hasEnded,
  type Model,
  TTL,
} from './world.ts';

/** What a caller sends as credentials: none, some of the wrong kind, or those that fit, with a refresh token or not. */
export type Sent = 'none' | 'wrong' | 'fitting' | 'refreshable';

/** An account by id, or by its pair, which may be spelt in another case. */
export type Address =
  | { readonly id: string; readonly organization?: string | undefined }
  | { readonly connector: string; readonly identifier: string; readonly organization?: string | undefined };

const BAD: Foreseen = { status: 400 };
const NOT_FOUND: Foreseen = { status: 404 };

export const connectorOf = (name: string): Connector | undefined => CONNECTORS[name.toLowerCase()];

/** Behaviour A8 and V3: what every read shows. */
export const statusOf = (model: Model, account: Account): string =>
  Object.values(model.requests).some((one) => one.account === account.id && !hasEnded(one.end, model))
    ? 'PENDING_VERIFICATION'
    : settled(model, account);

const canRefresh = ({ grants, held }: Account): boolean => grants && held === 'refreshable';

const settled = (model: Model, account: Account): string =>
  account.standing !== 'DISCONNECTED' && hasEnded(account.end, model) && !canRefresh(account)
    ? 'EXPIRED'
    : account.standing;

/** Whether `/auth` hands something out. */
const isLive = (model: Model, account: Account): boolean =>
  account.held !== 'nothing' && !['EXPIRED', 'DISCONNECTED'].includes(settled(model, account));

export const find = (model: Model, address: Address): Account | undefined => {
  const found = model.accounts.find((account) =>
    'id' in address
      ? account.id === address.id
      : account.connector === address.connector.toLowerCase() && account.identifier === address.identifier,
  );
  const { organization } = address;
  return found && (organization === undefined || organization === found.organization) ? found : undefined;
};

export const replace = (model: Model, account: Account): Model => ({
  ...model,
  accounts: model.accounts.map((one) => (one.id === account.id ? account : one)),
});

export const endRequests = (model: Model, id: string): Model => ({
  ...model,
  requests: Object.fromEntries(Object.entries(model.requests).filter(([, { account }]) => account !== id)),
});

/** Members that every answer shows of an account, credentials aside. */
export const shown = (model: Model, account: Account) => ({
  id: account.id,
  connector: account.connector,
  identifier: account.identifier,
  status: statusOf(model, account),
  token_expires_at: timestamp(account.end),
  last_used_at: timestamp(account.used),
});

export const timestamp = (instant: number | undefined): string | undefined =>
  instant === undefined ? undefined : new Date(instant).toISOString();

/** Behaviour A6: what credentials of a kind make of an account; undefined if they do not make it usable. */
const madeLive = (
  model: Model,
  { kind, serverless }: Connector,
  sent: Sent,
): Partial<Account> | undefined => {
  if (kind === 'open') return { held: 'nothing', end: undefined };
  if (sent === 'none' && !serverless) return undefined;
  if (kind === 'oauth') return { held: sent === 'refreshable' ? 'refreshable' : 'fixed', end: undefined };
  if (kind === 'static') return { held: 'fixed', end: undefined };
  return { held: 'refreshable', end: model.now + TTL.token };
};

/** Behaviour A5: what does not fit is refused; to a connector that takes none, nothing fits. */
const fits = ({ kind }: Connector, sent: Sent): boolean =>
  sent === 'none' || (sent !== 'wrong' && kind !== 'open');

export interface Creation {
  readonly connector: string;
  readonly identifier: string;
  readonly organization: string | undefined;
  readonly sent: Sent;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Behaviour A3 to A6: in this order, 400, 403, 409. The organization is a label (behaviour I2). */
export const create = (model: Model, { connector: name, sent, config, ...rest }: Creation): Foreseen => {
  const connector = connectorOf(name);
  if (!connector || connector.standing === 'sign-in' || !fits(connector, sent)) return BAD;
  if (connector.standing === 'disabled') return { status: 403 };
  if (find(model, { connector: name, identifier: rest.identifier })) return { status: 409 };
  const live = madeLive(model, connector, sent);
  const account = (id: string): Account => ({
    ...opened(id, name, rest),
    config,
    ...(live && { ...live, standing: 'ACTIVE' }),
  });
  return {
    status: 201,
    next: ({ id }) => ({ ...model, accounts: [...model.accounts, account(id)] }),
  };
};

export const opened = (
  id: string,
  connector: string,
  { identifier, organization }: { readonly identifier: string; readonly organization?: string | undefined },
): Account => ({
  id,
  connector: connector.toLowerCase(),
  identifier,
  organization,
  standing: 'PENDING_AUTH',
  grants: true,
  held: 'nothing',
  config: {},
});

/** Behaviour A7. An access token alone keeps the refresh token that is held. */
export const update = (
  model: Model,
  address: Address,
  sent: Sent,
  config: Readonly<Record<string, unknown>>,
): Foreseen => {
  const account = find(model, address);
  const connector = account && connectorOf(account.connector);
  if (!account || !connector) return NOT_FOUND;
  if (!fits(connector, sent)) return BAD;
  const configured = { ...account, config: { ...account.config, ...config } };
  const live = sent === 'none' ? undefined : madeLive(model, connector, sent);
  if (!live) return { status: 200, next: () => replace(model, configured) };
  const held = account.held === 'refreshable' ? 'refreshable' : live.held;
  const activated: Account = {
    ...configured,
    ...live,
    standing: 'ACTIVE',
    grants: true,
    held: held ?? 'nothing',
  };
  return { status: 200, next: () => endRequests(replace(model, activated), account.id) };
};

/** Behaviour A9. */
export const remove = (model: Model, address: Address): Foreseen => {
  const account = find(model, address);
  if (!account) return NOT_FOUND;
  const { links, accounts } = endRequests(model, account.id);
  const next = {
    ...endRequests(model, account.id),
    accounts: accounts.filter(({ id }) => id !== account.id),
    links: Object.fromEntries(Object.entries(links).filter(([, link]) => link.account !== account.id)),
  };
  return { status: 200, next: () => next };
};

/** Behaviour A8: an ended token is refreshed once, and what is handed out was used now. */
export const handOut = (model: Model, address: Address): Foreseen & { readonly live?: boolean } => {
  const account = find(model, address);
  if (!account) return NOT_FOUND;
  const isDue = account.standing === 'ACTIVE' && hasEnded(account.end, model) && canRefresh(account);
  const refreshed = isDue ? { ...account, end: model.now + TTL.token } : account;
  const live = isLive(model, refreshed);
  const next = replace(model, live ? { ...refreshed, used: model.now } : refreshed);
  return { status: 200, live, next: () => next };
};

/** The control actions: what a third party does by itself (behaviour A8). */
export const act = (
  model: Model,
  id: string,
  action: 'expire' | 'disconnect' | 'revoke' | 'grant',
): Foreseen => {
  const account = find(model, { id });
  if (!account) return NOT_FOUND;
  const moved: Record<typeof action, Partial<Account>> = {
    expire: { end: model.now, grants: false, standing: connected(account) },
    disconnect: { standing: 'DISCONNECTED' },
    revoke: { grants: false },
    grant: { grants: true, ...(hasRefresh(account) ? {} : granted(account, model)) },
  };
  const next = () => {
    const after = replace(model, { ...account, ...moved[action] });
    return action === 'disconnect' ? endRequests(after, account.id) : after;
  };
  return { status: 200, next };
};

const hasRefresh = ({ connector }: Account): boolean => {
  const kind = connectorOf(connector)?.kind;
  return kind !== 'static' && kind !== 'open';
};

/** What `grant` does to a kind that knows no refresh. */
const granted = (account: Account, model: Model): Partial<Account> => ({
  standing: connected(account),
  ...(hasEnded(account.end, model) && { end: undefined }),
});

const connected = ({ standing, held, connector }: Account): Account['standing'] => {
  if (standing !== 'DISCONNECTED') return standing;
  const { kind, serverless } = connectorOf(connector) ?? {};
  return held !== 'nothing' || kind === 'open' || serverless ? 'ACTIVE' : 'PENDING_AUTH';
};
