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
import { mentionsSecret } from '../core/secrets.ts';
import { cut } from '../core/text.ts';
import type { ScenarioForm } from '../model/scenario/sections/index.ts';
import type { LeftOut } from './fit-scenario.ts';

interface ReadOptions {
  /** Whether to replace e-mail addresses, names and free-form configuration. */
  readonly isAnonymous: boolean;
  progress(text: string): void;
}

/** How many days of sign-ins the scenario includes. */
const LOG_DAYS = 7;

type Row = Record<string, unknown>;

/** What was read, and what of the service's rows is not in it. */
interface ReadScenario {
  readonly scenario: ScenarioForm;
  readonly leftOut: readonly LeftOut[];
}

/** Builds a scenario from the data of a service, which stays unchanged. @throws Unusable if a list cannot be read */
export const readService = async (
  access: Access,
  { isAnonymous, progress }: ReadOptions,
): Promise<ReadScenario> => {
  const leftOut: LeftOut[] = [];
  const { ask, get, itemsOf, listIn } = await openService(access, progress, leftOut);
  const connections = distinct(
    listIn(await get('listConnections', { include: 'all' }), 'connections'),
    ({ id }) => id,
    'connections',
    leftOut,
  );
  const listed: Row[] = [];
  for await (const account of itemsOf('listConnectedAccounts', 'connected_accounts', 'accounts'))
    listed.push(account);
  const accounts: Row[] = [];
  for (const { id } of distinct(listed, (each) => each.id, 'connected_accounts', leftOut)) {
    const { status, body } = await ask('getConnectedAccountDetails', { id: String(id) });
    const account = valueAt(body, 'connected_account');
    if (status === 200 && isJsonObject(account)) accounts.push(account);
    else
      leftOut.push({
        what: `connected_accounts ${cut(shown(id))}`,
        reason: `its details were answered with ${status}`,
      });
    if (accounts.length % 10 === 1) progress(`${accounts.length} of ${listed.length} accounts`);
  }
  const read: Row[] = [];
  const query = { start_time: toTimestamp(realNow() - LOG_DAYS * 86_400_000) };
  for await (const entry of itemsOf('listAuthenticationRequests', 'authRequests', 'sign-ins', query))
    read.push(entry);
  const entries = distinct(
    read,
    (each) => each.auth_request_id,
    'authentication_requests',
    leftOut,
  ).toReversed(); // the service lists the newest entry first, a scenario lists it last
  const replacer = createReplacer(isAnonymous, [...connections, ...entries]);
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
    authentication_requests: entries.map((each) => entryRow(each, replacer)),
  };
  const description = `Read from ${isAnonymous ? 'a service' : new URL(access.baseUrl).host}`;
  // Copying through JSON removes undefined members. The copy has the type `any`, but loading the scenario checks it.
  return {
    scenario: JSON.parse(JSON.stringify({ description, environments: { development: environment } })),
    leftOut,
  };
};

/** The rows without those that are listed twice, as happens if the service changes while it is read. */
const distinct = (
  rows: readonly Row[],
  keyOf: (row: Row) => unknown,
  section: string,
  leftOut: LeftOut[],
): readonly Row[] => {
  const seen = new Set<unknown>();
  return rows.filter((row) => {
    const key = keyOf(row);
    if (key !== undefined && seen.has(key)) {
      leftOut.push({ what: `${section} ${cut(shown(key))}`, reason: 'the service lists it twice' });
      return false;
    }
    seen.add(key);
    return true;
  });
};

/** A value of the service as a message shows it, without characters that control a terminal. */
const shown = (value: unknown): string => String(value).replaceAll(/\p{Cc}/gu, ' ');

/** The most pages of a list that are read: without a limit, a service that invents pages would be read for ever. */
const MOST_PAGES = 2_000;
const DEEPEST = 50;

/** Signs in to the service, and returns functions that call it. @throws Unusable if the service issues no token */
const openService = async (access: Access, progress: ReadOptions['progress'], leftOut: LeftOut[]) => {
  const onWait = (seconds: number): void => progress(`waiting ${seconds} s, as the service asked`);
  const patience = { tries: 10, longestWait: 600, statuses: [429, 503], onWait };
  const service = { timeout: 60, ...access, token: await requestToken({ timeout: 60, ...access }, patience) };
  const ask = (operationId: OperationId, query: Query) => send(service, operationId, { query }, patience);
  const get = async (operationId: OperationId, query: Query): Promise<JsonObject> => {
    const { status, body } = await ask(operationId, query);
    if (status === 200 && isJsonObject(body)) return body;
    const message = valueAt(body, 'message');
    const isHarmless = typeof message === 'string' && !mentionsSecret(message);
    const why = isHarmless ? `: ${cut(shown(message).replaceAll(access.clientSecret, '***'))}` : '';
    const { path } = loadContract().operation(operationId);
    throw new Unusable(`GET ${path} was answered with ${status}${why}. Nothing was written.`);
  };
  const listIn = (page: JsonObject, member: string): readonly Row[] => {
    const items = page[member];
    if (!Array.isArray(items))
      throw new Unusable(`The answer of the service has no list of ${member}. Nothing was written.`);
    return items.flatMap((item): readonly Row[] => {
      if (isJsonObject(item) && isShallow(item)) return [item];
      const reason = isJsonObject(item)
        ? `it is nested deeper than ${DEEPEST} levels`
        : 'it is not an object';
      leftOut.push({ what: `an item of ${member}`, reason });
      return [];
    });
  };
  async function* pagesOf(operationId: OperationId, noun: string, query: Query) {
    const tokens = new Set<unknown>();
    for (let page_token: string | undefined; page_token !== ''; ) {
      const page = await get(operationId, { ...query, page_size: 100, page_token });
      yield page;
      page_token = typeof page.next_page_token === 'string' ? page.next_page_token : '';
      if (tokens.has(page_token))
        throw new Unusable(`The service returned the same page of ${noun} twice. Nothing was written.`);
      tokens.add(page_token);
      if (tokens.size < MOST_PAGES) continue;
      leftOut.push({ what: `further ${noun}`, reason: `${MOST_PAGES} pages were read` });
      return;
    }
  }
  /** Yields the items of all pages of a list. */
  async function* itemsOf(operationId: OperationId, member: string, noun: string, query: Query = {}) {
    let count = 0;
    for await (const page of pagesOf(operationId, noun, query))
      for (const item of listIn(page, member)) {
        yield item;
        count += 1;
        if (count % 10 === 1) progress(`${count} ${noun}`);
      }
  }
  return { ask, get, itemsOf, listIn };
};

const isShallow = (value: unknown, depth = 0): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth < DEEPEST && Object.values(value).every((each) => isShallow(each, depth + 1)));

type Replacer = ReturnType<typeof createReplacer>;

/**
 * Creates functions that replace personal data, if `isAnonymous`. Equal strings get equal replacements.
 * @param named rows with names of organizations
 */
const createReplacer = (isAnonymous: boolean, named: readonly Row[]) => {
  const replacements = new Map<string, string>();
  /** Returns a string or, if `isAnonymous`, a replacement. Returns undefined for a value that is not a string. */
  const replace = (value: unknown, makeReplacement: (n: number) => string): string | undefined => {
    if (typeof value !== 'string') return undefined;
    if (!isAnonymous) return value;
    const key = value.includes('@') ? value.toLowerCase() : value; // only e-mail addresses ignore case (behaviour I6)
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
    const members = Object.entries(value).map(([name, member]) => [
      replace(name, (n) => `member-${n}`),
      config(member),
    ]);
    return Object.fromEntries(members);
  };
  const words = named.flatMap(({ organization_name: name }) =>
    typeof name === 'string' ? (name.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []) : [],
  );
  /** Replaces the name of a connection that belongs to an organization, or that contains a word of an organization's name. */
  const connection = (name: unknown, belongs = false): unknown =>
    belongs || words.some((word) => String(name).toLowerCase().includes(word))
      ? replace(name, (n) => `connection-${n}`)
      : name;
  return { replace, identifier, config, connection };
};

const pick = (from: Row, names: string): Row =>
  Object.fromEntries(names.split(' ').map((name) => [name, from[name] ?? undefined])); // null counts as absent (behaviour T5)

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

const connectionRow = (connection: Row, { replace, connection: rename }: Replacer): Row => {
  const { id, key_id, provider_key, organization_id, domains } = connection;
  const belongs = typeof organization_id === 'string';
  return {
    ...pick(connection, 'id type provider status enabled organization_id'),
    provider_key: rename(provider_key ?? undefined),
    key_id: rename(key_id ?? id, belongs),
    domains: Array.isArray(domains)
      ? domains.map((each) => replace(each, (n) => `domain-${n}.test`))
      : undefined,
  };
};

/** An account's row in the scenario, without credentials: a mock that loads the scenario makes up credentials. */
const accountRow = (account: Row, { identifier, config, connection }: Replacer): Row => {
  const { status, token_expires_at: end } = account;
  const hasEnded = typeof end === 'string' && Number(parseTimestamp(end)) <= realNow();
  return {
    ...pick(account, 'id status last_used_at updated_at'),
    connector: connection(account.connector),
    identifier: identifier(account.identifier),
    refresh: status === 'ACTIVE' ? 'grant' : undefined,
    // An expiry time that contradicts the status is left out.
    token_expires_at: status === (hasEnded ? 'EXPIRED' : 'ACTIVE') ? end : undefined,
    api_config: config(account.api_config ?? {}),
  };
};

const entryRow = (entry: Row, { identifier, replace }: Replacer): Row => {
  const unchanged =
    'auth_request_id timestamp status workflow client_type resource_type organization_id connection_id';
  return {
    ...pick(entry, unchanged),
    email: identifier(entry.email),
    client_id: replace(entry.client_id, (n) => `client-${n}`),
    resource_id: replace(entry.resource_id, (n) => `resource-${n}`),
    client_name: replace(entry.client_name, (n) => `Client ${n}`),
    resource_name: replace(entry.resource_name, (n) => `Resource ${n}`),
  };
};
