/** Rows of a scenario, made from the rows that a service lists, with their personal data replaced if that is wanted. */
import { isJsonObject } from '../contract/document.ts';
import { parseTimestamp, realNow } from '../core/clock.ts';

export type ServiceRow = Record<string, unknown>;

type Replacer = ReturnType<typeof createReplacer>;

/**
 * Creates functions that replace personal data, if `isAnonymous`. Equal strings get equal replacements.
 * @param named rows with names of organizations
 */
export const createReplacer = (isAnonymous: boolean, named: readonly ServiceRow[]) => {
  const replacements = new Map<string, string>();
  /** Returns a string or, if `isAnonymous`, a replacement. Returns undefined for a value that is not a string. */
  const replace = (value: unknown, make: (n: number) => string): string | undefined => {
    if (typeof value !== 'string' || !isAnonymous) return typeof value === 'string' ? value : undefined;
    const key = value.includes('@') ? value.toLowerCase() : value; // only e-mail addresses ignore case (behaviour I6)
    const replacement = replacements.get(key) ?? make(replacements.size + 1);
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
    const rename = (name: string) => replace(name, (n) => `member-${n}`);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [rename(name), config(one)]));
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

const pick = (from: ServiceRow, names: string): ServiceRow =>
  Object.fromEntries(names.split(' ').map((name) => [name, from[name] ?? undefined])); // null counts as absent (behaviour T5)

export const organizationsOf = (
  connections: readonly ServiceRow[],
  entries: readonly ServiceRow[],
  { replace }: Replacer,
) => {
  const names = new Map<string, string>();
  for (const { organization_id: id, organization_name: name } of [...entries, ...connections])
    if (typeof id === 'string') names.set(id, typeof name === 'string' ? name : (names.get(id) ?? id));
  return Array.from(names, ([id, name]) => ({
    id,
    name: id.replace(/^org_/, 'organization-'),
    display_name: name === id ? id : replace(name, (n) => `Organization ${n}`),
  }));
};

export const usersOf = (entries: readonly ServiceRow[], { identifier }: Replacer) => {
  const emails = new Map<string, string | undefined>();
  for (const { email } of entries) if (email) emails.set(String(email).toLowerCase(), identifier(email));
  return Array.from(emails.values(), (email) => ({ email }));
};

export const connectionRow = (
  connection: ServiceRow,
  { replace, connection: rename }: Replacer,
): ServiceRow => {
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
export const accountRow = (account: ServiceRow, { identifier, config, connection }: Replacer): ServiceRow => {
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

export const entryRow = (entry: ServiceRow, { identifier, replace }: Replacer): ServiceRow => {
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
