/** Makes a scenario from a running service (`init --from`): connections, accounts, but no credentials, latest sign-ins. */
import { type Access, type Query, requestToken, send } from '../conformance/verify/client.ts';
import { isJsonObject, type JsonObject } from '../contract/document.ts';
import { loadContract } from '../contract/load.ts';
import type { OperationId } from '../contract/types.ts';
import { realNow, toTimestamp } from '../core/clock.ts';
import { Unusable } from '../core/errors.ts';
import { valueAt } from '../core/object.ts';
import { mentionsSecret } from '../core/secrets.ts';
import { cut } from '../core/text.ts';
import type { ScenarioForm } from '../model/scenario/sections/index.ts';
import type { LeftOut } from './fit-scenario.ts';
import {
  accountRow,
  connectionRow,
  createReplacer,
  entryRow,
  organizationsOf,
  type ServiceRow,
  usersOf,
} from './service-rows.ts';

interface ReadOptions {
  /** Whether to replace e-mail addresses, names and free-form configuration. */
  readonly isAnonymous: boolean;
  progress(text: string): void;
}

/** How many days of sign-ins the scenario includes. */
const LOG_DAYS = 7;

/** @returns the scenario, and what of the service's rows is not in it @throws Unusable if a list cannot be read */
export const readService = async (access: Access, { isAnonymous, progress }: ReadOptions) => {
  const leftOut: LeftOut[] = [];
  const { ask, get, listAll, listIn } = await openService(access, progress, leftOut);
  const once = withoutRepeats(leftOut);
  const allConnections = listIn(await get('listConnections', { include: 'all' }), 'connections');
  const connections = once(allConnections, 'id', 'connections');
  const listed = await listAll('listConnectedAccounts', 'connected_accounts', 'accounts');
  const accounts: ServiceRow[] = [];
  for (const { id } of once(listed, 'id', 'connected_accounts')) {
    const { status, body } = await ask('getConnectedAccountDetails', { id: String(id) });
    const account = valueAt(body, 'connected_account');
    const what = `connected_accounts ${cut(shown(id))}`;
    if (status === 200 && isJsonObject(account)) accounts.push(account);
    else leftOut.push({ what, reason: `its details were answered with ${status}` });
    if (accounts.length % 10 === 1) progress(`${accounts.length} of ${listed.length} accounts`);
  }
  const query = { start_time: toTimestamp(realNow() - LOG_DAYS * 86_400_000) };
  const read = await listAll('listAuthenticationRequests', 'authRequests', 'sign-ins', query);
  const newestLast = once(read, 'auth_request_id', 'authentication_requests').toReversed(); // the service lists the newest first
  const replacer = createReplacer(isAnonymous, [...connections, ...newestLast]);
  const environment = {
    clients: [{ client_id: 'my-client', client_secret: 'my-secret' }],
    access_tokens: ['my-token'],
    organizations: organizationsOf(connections, newestLast, replacer),
    users: usersOf(newestLast, replacer),
    connections: connections.map((each) => connectionRow(each, replacer)),
    connected_accounts: accounts.map((each) => accountRow(each, replacer)),
    verification_requests: accounts
      .filter(({ status }) => status === 'PENDING_VERIFICATION')
      .map(({ id }) => ({ account: id, expires_at: 'never' })),
    authentication_requests: newestLast.map((each) => entryRow(each, replacer)),
  };
  const description = `Read from ${isAnonymous ? 'a service' : new URL(access.baseUrl).host}`;
  // Copying through JSON removes undefined members. Loading the scenario checks the copy.
  const text = JSON.stringify({ description, environments: { development: environment } });
  return { scenario: JSON.parse(text) as ScenarioForm, leftOut };
};

/** The rows without those that are listed twice, as happens if the service changes while it is read. */
const withoutRepeats =
  (leftOut: LeftOut[]) =>
  (rows: readonly ServiceRow[], name: string, section: string): readonly ServiceRow[] => {
    const seen = new Set<unknown>();
    return rows.filter(({ [name]: key }) => {
      const isNew = key === undefined || !seen.has(key);
      if (!isNew)
        leftOut.push({ what: `${section} ${cut(shown(key))}`, reason: 'the service lists it twice' });
      seen.add(key);
      return isNew;
    });
  };

/** A value of the service as a message shows it, without characters that control a terminal. */
const shown = (value: unknown): string => String(value).replaceAll(/\p{Cc}/gu, ' ');

/** The most pages of a list that are read: without a limit, a service that invents pages would be read for ever. */
const MOST_PAGES = 2_000;
/** The most items of one reply, and the most characters of a list: what one reply may hold is too much in every page. */
const MOST_ITEMS = 10_000;
const MOST_CHARACTERS = 64 * 2 ** 20;
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
  const listIn = (page: JsonObject, member: string): readonly ServiceRow[] => {
    const items = page[member];
    if (!Array.isArray(items))
      throw new Unusable(`The answer of the service has no list of ${member}. Nothing was written.`);
    if (items.length > MOST_ITEMS)
      throw new Unusable(
        `The service has more than ${MOST_ITEMS} ${member} in one answer. Nothing was written.`,
      );
    return items.flatMap((item): readonly ServiceRow[] => {
      if (isJsonObject(item) && isShallow(item)) return [item];
      const tooDeep = isJsonObject(item) && `it is nested deeper than ${DEEPEST} levels`;
      leftOut.push({ what: `an item of ${member}`, reason: tooDeep || 'it is not an object' });
      return [];
    });
  };
  const listAll = async (operationId: OperationId, member: string, noun: string, query: Query = {}) => {
    const items: ServiceRow[] = [];
    const tokens = new Set<string>();
    let characters = 0;
    for (let page_token: string | undefined; tokens.size < MOST_PAGES; ) {
      const page = await get(operationId, { ...query, page_size: 100, page_token });
      for (const item of listIn(page, member)) items.push(item);
      characters += JSON.stringify(page).length;
      if (characters > MOST_CHARACTERS)
        throw new Unusable(`The list of ${noun} is larger than 64 MiB. Nothing was written.`);
      progress(`${items.length} ${noun}`);
      const { next_page_token: next } = page;
      if (typeof next !== 'string' || next === '') return items;
      if (tokens.has(next))
        throw new Unusable(`The service returned the same page of ${noun} twice. Nothing was written.`);
      tokens.add(next);
      page_token = next;
    }
    leftOut.push({ what: `further ${noun}`, reason: `${MOST_PAGES} pages were read` });
    return items;
  };
  return { ask, get, listAll, listIn };
};

const isShallow = (value: unknown, depth = 0): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth < DEEPEST && Object.values(value).every((each) => isShallow(each, depth + 1)));
