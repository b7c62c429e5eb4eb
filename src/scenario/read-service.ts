/** Builds a scenario from a running service: its connections, accounts (without credentials) and latest sign-ins. */
import { setTimeout as sleep } from 'node:timers/promises';
import { realNow, toTimestamp } from '../core/clock.ts';
import { Unusable } from '../core/errors.ts';
import { parseJson, valueAt } from '../core/object.ts';
import { cut } from '../core/text.ts';
import { isJsonObject, type JsonObject } from '../openapi/document.ts';
import type { ScenarioForm } from './sections/index.ts';
import { parseTime } from './times.ts';

/** A service and its credentials. */
interface Service {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface ReadOptions {
  /** Replaces e-mail addresses, names and free-form configuration. */
  readonly isAnonymous: boolean;
  progress(text: string): void;
}

/** How many days of sign-ins the scenario includes. */
const LOG_DAYS = 7;

type Row = Record<string, unknown>;

/** Calls only operations that change nothing, one at a time. @throws Unusable if the service is not responding */
export const readService = async (
  service: Service,
  { isAnonymous, progress }: ReadOptions,
): Promise<ScenarioForm> => {
  const { get, list } = await openService(service, progress);
  const standIns = createStandIns(isAnonymous);
  const connections = itemsOf(await get('/api/v1/connections', { include: 'all' }), 'connections');
  const readDetails = async ({ id }: Row): Promise<Row> => {
    const { connected_account } = await get('/api/v1/connected_accounts/details', { id: String(id) });
    return { ...(connected_account as JsonObject) };
  };
  const accounts = await list(
    'accounts',
    '/api/v1/connected_accounts',
    'connected_accounts',
    {},
    readDetails,
  );
  const query = { start_time: toTimestamp(realNow() - LOG_DAYS * 86_400_000) };
  const newestFirst = await list('sign-ins', '/api/v1/logs/authentication/requests', 'authRequests', query);
  const entries = newestFirst.reverse();
  const environment = {
    clients: [{ client_id: 'my-client', client_secret: 'my-secret' }],
    access_tokens: ['my-token'],
    organizations: organizationsOf(connections, entries, standIns),
    users: usersOf(entries, standIns),
    connections: connections.map((each) => connectionRow(each, standIns)),
    connected_accounts: accounts.map((each) => accountRow(each, standIns)),
    verification_requests: accounts
      .filter(({ status }) => status === 'PENDING_VERIFICATION')
      .map(({ id }) => ({ account: id, expires_at: 'never' })),
    authentication_requests: entries.map((each) => entryRow(each, connections, standIns)),
  };
  return {
    description: `Read from ${new URL(service.url).host}`,
    environments: { development: environment },
  } as ScenarioForm; // loading the scenario checks it
};

type Query = Readonly<Record<string, string>>;

/** Gets a token for the service. @throws Unusable if the service issues none */
const openService = async ({ url, clientId, clientSecret }: Service, progress: ReadOptions['progress']) => {
  const base = url.replace(/\/+$/, '');
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const request = { method: 'POST', body: new URLSearchParams(form) };
  const { access_token } = await send(base, '/oauth/token', request, progress);
  const headers = { authorization: `Bearer ${String(access_token)}` };
  const get = (path: string, query: Query): Promise<JsonObject> =>
    send(base, `${path}?${new URLSearchParams(query)}`, { headers }, progress);
  /** Reads the items of all pages of a list, and completes each item. */
  const list = async (
    noun: string,
    path: string,
    member: string,
    query: Query,
    complete: (item: Row) => Row | Promise<Row> = (item) => item,
  ): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let page_token: unknown = ''; typeof page_token === 'string'; ) {
      const page = await get(path, { ...query, page_size: '100', ...(page_token !== '' && { page_token }) });
      for (const item of itemsOf(page, member)) {
        rows.push(await complete(item));
        if (rows.length % 10 === 1) progress(`${rows.length} ${noun}`);
      }
      page_token = page.next_page_token || undefined;
    }
    return rows;
  };
  return { get, list };
};

const itemsOf = (page: JsonObject, member: string): readonly JsonObject[] => {
  const items = page[member];
  if (Array.isArray(items)) return items.filter(isJsonObject);
  throw new Unusable(`The answer of the service has no list of ${member}. Nothing was written.`);
};

/** The maximum number of attempts at a call, and of seconds to wait before the next attempt. */
const MOST_TRIES = 10;
const LONGEST_WAIT = 120;

/** Sends a call, and sends it again after a 429. @throws Unusable with the reason if it fails */
const send = async (
  base: string,
  path: string,
  request: RequestInit,
  progress: ReadOptions['progress'],
): Promise<JsonObject> => {
  for (let tries = 1; ; tries += 1) {
    const reply = await fetch(base + path, request).catch(({ cause }: Error) => {
      throw new Unusable(`${base} cannot be reached (${String(cause)}). Is that the address of the service?`);
    });
    const body = parseJson(await reply.text());
    if (reply.ok && isJsonObject(body)) return body;
    if (reply.status !== 429 || tries === MOST_TRIES) {
      const said = valueAt(body, 'message') ?? valueAt(body, 'error_description');
      const why = typeof said === 'string' ? `: ${cut(said)}` : '';
      const what = path.replace(/\?.*/, '');
      throw new Unusable(`${what} was answered with ${reply.status}${why}. Nothing was written.`);
    }
    const seconds = Math.min(Number(reply.headers.get('retry-after') ?? 1) || 1, LONGEST_WAIT);
    progress(`waiting as the service asks: ${seconds} s`);
    await sleep(seconds * 1_000);
  }
};

type StandIns = ReturnType<typeof createStandIns>;

/**
 * Replaces names of people and customers with made-up names. Equal values get equal replacements.
 * @param isAnonymous if false, nothing is replaced
 */
const createStandIns = (isAnonymous: boolean) => {
  const known = new Map<string, string>();
  /** @param name returns the replacement for a number */
  const standIn = (text: string, name: (n: number) => string): string => {
    if (!isAnonymous) return text;
    const key = text.toLowerCase();
    const replacement = known.get(key) ?? name(known.size + 1);
    known.set(key, replacement);
    return replacement;
  };
  /** Replaces an e-mail address or another string that identifies an account. */
  const identifier = (text: string, noun = 'account'): string =>
    standIn(text, (n) => (text.includes('@') ? `user-${n}@example.test` : `${noun}-${n}`));
  /** Replaces every string and number in free-form configuration, at any depth. */
  const config = (value: unknown): unknown => {
    if (typeof value === 'string') return identifier(value, 'value');
    if (Array.isArray(value)) return value.map(config);
    if (typeof value === 'number') return isAnonymous ? 0 : value;
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, config(member)]));
  };
  return { standIn, identifier, config };
};

const pick = (from: Row, names: string): Row =>
  Object.fromEntries(
    names.split(' ').flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  );

const organizationsOf = (connections: readonly Row[], entries: readonly Row[], { standIn }: StandIns) => {
  const names = new Map<string, string>();
  for (const { organization_id: id, organization_name: name } of [...entries, ...connections])
    if (typeof id === 'string') names.set(id, typeof name === 'string' ? name : (names.get(id) ?? id));
  return Array.from(names, ([id, name]) => ({
    id,
    name: id.replace(/^org_/, 'organization-'),
    display_name: name === id ? id : standIn(name, (n) => `Organization ${n}`),
  }));
};

const usersOf = (entries: readonly Row[], { identifier }: StandIns) => {
  const emails = new Map<string, string>();
  for (const { email } of entries)
    if (typeof email === 'string' && email !== '') emails.set(email.toLowerCase(), identifier(email));
  return Array.from(emails.values(), (email) => ({ email }));
};

const connectionRow = (connection: Row, { standIn }: StandIns): Row => {
  const { id, key_id, domains } = connection;
  return {
    ...pick(connection, 'id type provider provider_key status enabled organization_id'),
    key_id: key_id ?? id,
    ...(Array.isArray(domains) && {
      domains: domains.map((each) => standIn(String(each), (n) => `domain-${n}.test`)),
    }),
  };
};

/** Writes no credentials: when the mock loads the scenario, it makes up the credentials that the status needs. */
const accountRow = (account: Row, { identifier, config }: StandIns): Row => {
  const { status, token_expires_at: end } = account;
  const hasEnded = typeof end === 'string' && Number(parseTime(end)) <= realNow();
  const isKept = status === 'ACTIVE' ? !hasEnded : status === 'EXPIRED' && hasEnded;
  return {
    ...pick(account, 'id connector status last_used_at updated_at'),
    identifier: identifier(String(account.identifier)),
    ...(status === 'ACTIVE' && { refresh: 'grant' }),
    ...(isKept && end !== undefined && { token_expires_at: end }),
    api_config: config(account.api_config ?? {}),
  };
};

const CLIENT_TYPES = ['ENV', 'NTV', 'SPA', 'M2M'];

const entryRow = (entry: Row, connections: readonly Row[], { identifier, standIn }: StandIns): Row => {
  const { email, client_type, client_name, resource_name, connection_id } = entry;
  const known =
    'auth_request_id timestamp status workflow client_id resource_id resource_type organization_id';
  return {
    ...pick(entry, known),
    ...(typeof email === 'string' && { email: identifier(email) }),
    ...(CLIENT_TYPES.includes(String(client_type)) && { client_type }),
    ...(typeof client_name === 'string' && { client_name: standIn(client_name, (n) => `Client ${n}`) }),
    ...(typeof resource_name === 'string' && {
      resource_name: standIn(resource_name, (n) => `Resource ${n}`),
    }),
    ...(connections.some(({ id }) => id === connection_id) && { connection_id }),
  };
};
