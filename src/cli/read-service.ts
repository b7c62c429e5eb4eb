/**
 * Builds a scenario from a running service (`init --from`): its connections, its accounts without their credentials, and
 * its latest sign-ins.
 */

import { type Access, type Query, requestToken, send } from '../conformance/verify/client.ts';
import { isJsonObject, type JsonObject } from '../contract/document.ts';
import { loadContract } from '../contract/load.ts';
import type { OperationId } from '../contract/types.ts';
import { parseTimestamp, realNow, toTimestamp } from '../core/clock.ts';
import { Unusable } from '../core/errors.ts';
import { valueAt } from '../core/object.ts';
import { cut } from '../core/text.ts';
import type { ScenarioForm } from '../model/scenario/sections/index.ts';

interface ReadOptions {
  /** Whether to replace e-mail addresses, names and free-form configuration. */
  readonly isAnonymous: boolean;
  progress(text: string): void;
}

/** How many days of sign-ins the scenario includes. */
const LOG_DAYS = 7;

type Row = Record<string, unknown>;

/** Builds a scenario from the data of a service, which stays unchanged. @throws Unusable if a call fails */
export const readService = async (
  access: Access,
  { isAnonymous, progress }: ReadOptions,
): Promise<ScenarioForm> => {
  const { get, itemsOf } = await openService(access, progress);
  const replacer = createReplacer(isAnonymous);
  const connections = listIn(await get('listConnections', { include: 'all' }), 'connections');
  const accounts: Row[] = [];
  for await (const { id } of itemsOf('listConnectedAccounts', 'connected_accounts', 'accounts')) {
    const { connected_account } = await get('getConnectedAccountDetails', { id: String(id) });
    accounts.push(Object(connected_account));
  }
  const entries: Row[] = [];
  const query = { start_time: toTimestamp(realNow() - LOG_DAYS * 86_400_000) };
  for await (const entry of itemsOf('listAuthenticationRequests', 'authRequests', 'sign-ins', query))
    entries.push(entry);
  entries.reverse(); // the service lists the newest entry first, a scenario lists it last
  const environment = {
    clients: [{ client_id: 'my-client', client_secret: 'my-secret' }],
    access_tokens: ['my-token'],
    organizations: organizationsOf(connections, entries, replacer),
    users: usersOf(entries, replacer),
    connections: connections.map((each) => connectionRow(each, replacer)),
    connected_accounts: accounts.map((each) => accountRow(each, replacer)),
    verification_requests: accounts
      .filter(({ status }) => status === 'PENDING_VERIFICATION')
      .map(({ id }) => ({ account: id, expires_at: 'never' })),
    authentication_requests: entries.map((each) => entryRow(each, connections, replacer)),
  };
  const description = `Read from ${new URL(access.baseUrl).host}`;
  // Copying through JSON removes undefined members. The copy has the type `any`, but loading the scenario checks it.
  return JSON.parse(JSON.stringify({ description, environments: { development: environment } }));
};

/** Signs in to the service, and returns functions that call it. @throws Unusable if the service issues no token */
const openService = async (access: Access, progress: ReadOptions['progress']) => {
  const service = { timeout: 60, ...access, token: await requestToken(access) };
  const onWait = (seconds: number): void => progress(`waiting ${seconds} s, as the service asked`);
  const patience = { tries: 10, longestWait: 600, onWait };
  const get = async (operationId: OperationId, query: Query): Promise<JsonObject> => {
    const { status, body } = await send(service, operationId, { query }, patience);
    if (status === 200 && isJsonObject(body)) return body;
    const message = valueAt(body, 'message');
    const why = typeof message === 'string' ? `: ${cut(message)}` : '';
    const { path } = loadContract().operation(operationId);
    throw new Unusable(`GET ${path} was answered with ${status}${why}. Nothing was written.`);
  };
  /** Yields the items of all pages of a list. */
  async function* itemsOf(operationId: OperationId, member: string, noun: string, query: Query = {}) {
    const tokens = new Set<unknown>();
    let count = 0;
    let page_token: string | undefined;
    do {
      const page = await get(operationId, { ...query, page_size: 100, page_token });
      for (const item of listIn(page, member)) {
        yield item;
        count += 1;
        if (count % 10 === 1) progress(`${count} ${noun}`);
      }
      page_token = typeof page.next_page_token === 'string' ? page.next_page_token : '';
      if (tokens.has(page_token))
        throw new Unusable(`The service returned the same page of ${noun} twice. Nothing was written.`);
      tokens.add(page_token);
    } while (page_token !== '');
  }
  return { get, itemsOf };
};

const listIn = (page: JsonObject, member: string): readonly JsonObject[] => {
  const items = page[member];
  if (Array.isArray(items)) return items.filter(isJsonObject);
  throw new Unusable(`The answer of the service has no list of ${member}. Nothing was written.`);
};

type Replacer = ReturnType<typeof createReplacer>;

/** Creates functions that replace personal data, if `isAnonymous`. Equal strings get equal replacements. */
const createReplacer = (isAnonymous: boolean) => {
  const replacements = new Map<string, string>();
  /** Returns a string or, if `isAnonymous`, a replacement. Returns undefined for a value that is not a string. */
  const replace = (value: unknown, makeReplacement: (n: number) => string): string | undefined => {
    if (typeof value !== 'string') return undefined;
    if (!isAnonymous) return value;
    const key = value.toLowerCase();
    const replacement = replacements.get(key) ?? makeReplacement(replacements.size + 1);
    replacements.set(key, replacement);
    return replacement;
  };
  /** Replaces an e-mail address or another string that identifies an account. */
  const identifier = (value: unknown, noun = 'account'): string | undefined =>
    replace(value, (n) => (String(value).includes('@') ? `user-${n}@example.test` : `${noun}-${n}`));
  /** If `isAnonymous`, replaces every string and number in free-form configuration, at any depth. */
  const config = (value: unknown): unknown => {
    if (typeof value === 'string') return identifier(value, 'value');
    if (Array.isArray(value)) return value.map(config);
    if (typeof value === 'number') return isAnonymous ? 0 : value;
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, config(member)]));
  };
  return { replace, identifier, config };
};

const pick = (from: Row, names: string): Row =>
  Object.fromEntries(names.split(' ').map((name) => [name, from[name]]));

const organizationsOf = (connections: readonly Row[], entries: readonly Row[], { replace }: Replacer) => {
  const names = new Map<string, string>();
  for (const { organization_id: id, organization_name: name } of [...entries, ...connections])
    if (typeof id === 'string') names.set(id, typeof name === 'string' ? name : (names.get(id) ?? id));
  return Array.from(names, ([id, name]) => ({
    id,
    name: id.replace(/^org_/, 'organization-'),
    display_name: name === id ? id : replace(name, (n) => `Organization ${n}`),
  }));
};

const usersOf = (entries: readonly Row[], { identifier }: Replacer) => {
  const emails = new Map<string, string | undefined>();
  for (const { email } of entries) if (email) emails.set(String(email).toLowerCase(), identifier(email));
  return Array.from(emails.values(), (email) => ({ email }));
};

const connectionRow = (connection: Row, { replace }: Replacer): Row => {
  const { id, key_id, domains } = connection;
  return {
    ...pick(connection, 'id type provider provider_key status enabled organization_id'),
    key_id: key_id ?? id,
    domains: Array.isArray(domains)
      ? domains.map((each) => replace(each, (n) => `domain-${n}.test`))
      : undefined,
  };
};

/** An account's row in the scenario, without credentials: a mock that loads the scenario makes up credentials. */
const accountRow = (account: Row, { identifier, config }: Replacer): Row => {
  const { status, token_expires_at: end } = account;
  const hasEnded = typeof end === 'string' && Number(parseTimestamp(end)) <= realNow();
  return {
    ...pick(account, 'id connector status last_used_at updated_at'),
    identifier: identifier(account.identifier),
    refresh: status === 'ACTIVE' ? 'grant' : undefined,
    // An expiry time that contradicts the status is left out.
    token_expires_at: status === (hasEnded ? 'EXPIRED' : 'ACTIVE') ? end : undefined,
    api_config: config(account.api_config ?? {}),
  };
};

const CLIENT_TYPES = ['ENV', 'NTV', 'SPA', 'M2M'];

const entryRow = (entry: Row, connections: readonly Row[], { identifier, replace }: Replacer): Row => {
  const unchanged =
    'auth_request_id timestamp status workflow client_id resource_id resource_type organization_id';
  return {
    ...pick(entry, unchanged),
    email: identifier(entry.email),
    client_type: CLIENT_TYPES.find((type) => type === entry.client_type),
    client_name: replace(entry.client_name, (n) => `Client ${n}`),
    resource_name: replace(entry.resource_name, (n) => `Resource ${n}`),
    connection_id: connections.find(({ id }) => id === entry.connection_id)?.id,
  };
};
