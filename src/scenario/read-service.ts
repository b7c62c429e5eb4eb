/**
 * Makes a scenario from a running service: its connections, its accounts without credentials, and its latest sign-ins.
 */
import { realNow, toTimestamp } from '../core/clock.ts';
import type { JsonObject } from '../openapi/document.ts';
import type { ScenarioForm } from './sections/index.ts';
import { openService, type Service, type ServiceClient } from './service-client.ts';
import { createStandIns, type StandIns } from './stand-ins.ts';
import { parseTime } from './times.ts';

export interface ReadOptions {
  /** Replaces e-mail addresses, names and free-form configuration. */
  readonly isAnonymous: boolean;
  progress(text: string): void;
}

/** How many days of sign-ins the scenario includes. */
const LOG_DAYS = 7;

type Row = Record<string, unknown>;

/** Calls only operations that change nothing, one at a time. @throws Unusable if the service does not answer */
export const readService = async (
  service: Service,
  { isAnonymous, progress }: ReadOptions,
): Promise<ScenarioForm> => {
  const client = await openService(service, progress);
  const standIns = createStandIns(isAnonymous);
  progress('connections');
  const { connections: listed } = await client.get('/api/v1/connections', { include: 'all' });
  const connections = [listed ?? []].flat().map((each) => ({ ...(each as JsonObject) })); // the contract describes a list of objects
  const accounts = await readAccounts(client, progress);
  const entries = await readLog(client, progress);
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

const readAccounts = async (
  client: ServiceClient,
  progress: ReadOptions['progress'],
): Promise<readonly Row[]> => {
  const accounts: Row[] = [];
  const pages = client.list('/api/v1/connected_accounts', 'connected_accounts', { page_size: '100' });
  for await (const { id } of pages) {
    const { connected_account } = await client.get('/api/v1/connected_accounts/details', { id: String(id) });
    accounts.push({ ...(connected_account as JsonObject) });
    if (accounts.length % 10 === 1) progress(`${accounts.length} accounts`);
  }
  return accounts;
};

/** Returns the oldest sign-in first, in the order in which they happened. */
const readLog = async (client: ServiceClient, progress: ReadOptions['progress']): Promise<readonly Row[]> => {
  const start_time = toTimestamp(realNow() - LOG_DAYS * 86_400_000);
  const query = { page_size: '100', start_time };
  const entries: Row[] = [];
  for await (const entry of client.list('/api/v1/logs/authentication/requests', 'authRequests', query)) {
    entries.push({ ...entry });
    if (entries.length % 100 === 1) progress(`${entries.length} sign-ins`);
  }
  return entries.reverse();
};

const pick = (from: Row, names: string): Row =>
  Object.fromEntries(
    names.split(' ').flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  );

const organizationsOf = (connections: readonly Row[], entries: readonly Row[], standIns: StandIns) => {
  const names = new Map<string, string>();
  for (const { organization_id: id, organization_name: name } of [...entries, ...connections])
    if (typeof id === 'string') names.set(id, typeof name === 'string' ? name : (names.get(id) ?? id));
  return Array.from(names, ([id, name]) => ({
    id,
    name: id.replace(/^org_/, 'organization-'),
    display_name: name === id ? id : standIns.name('Organization', name),
  }));
};

const usersOf = (entries: readonly Row[], standIns: StandIns) => {
  const emails = new Map<string, string>();
  for (const { email } of entries)
    if (typeof email === 'string' && email !== '') emails.set(email.toLowerCase(), standIns.email(email));
  return Array.from(emails.values(), (email) => ({ email }));
};

const connectionRow = (connection: Row, standIns: StandIns): Row => {
  const { id, key_id, domains } = connection;
  return {
    ...pick(connection, 'id type provider provider_key status enabled organization_id'),
    key_id: key_id ?? id,
    ...(Array.isArray(domains) && { domains: domains.map((each) => standIns.domain(String(each))) }),
  };
};

/** Writes no credentials: when the mock loads the scenario, it makes up the credentials that the status needs. */
const accountRow = (account: Row, standIns: StandIns): Row => {
  const { status, identifier, token_expires_at: end, api_config } = account;
  const hasEnded = typeof end === 'string' && Number(parseTime(end)) <= realNow();
  const isKept = status === 'ACTIVE' ? !hasEnded : status === 'EXPIRED' && hasEnded;
  return {
    ...pick(account, 'id connector status last_used_at updated_at'),
    identifier: standIns.identifier(String(identifier)),
    ...(status === 'ACTIVE' && { refresh: 'grant' }),
    ...(isKept && end !== undefined && { token_expires_at: end }),
    api_config: standIns.config(api_config ?? {}),
  };
};

const CLIENT_TYPES = ['ENV', 'NTV', 'SPA', 'M2M'];

const entryRow = (entry: Row, connections: readonly Row[], standIns: StandIns): Row => {
  const { email, client_type, client_name, connection_id } = entry;
  const isKnown = connections.some(({ id }) => id === connection_id);
  return {
    ...pick(
      entry,
      'auth_request_id timestamp status workflow client_id resource_id resource_type organization_id',
    ),
    ...(typeof email === 'string' && { email: standIns.email(email) }),
    ...(CLIENT_TYPES.includes(String(client_type)) && { client_type }),
    ...(typeof client_name === 'string' && { client_name: standIns.name('Client', client_name) }),
    ...(typeof entry.resource_name === 'string' && {
      resource_name: standIns.name('Resource', entry.resource_name),
    }),
    ...(isKnown && { connection_id }),
  };
};
