/** Finding the account that a request names (behaviour A2), and refusing a second one of a pair (behaviour A4). */
import { type FieldViolation, notFound, Refusal, refuse } from '../core/errors.ts';
import { getRow, rowsBy } from '../core/table.ts';
import type { AccountRow } from './rows.ts';
import { pairKey, type State } from './state.ts';

/** How requests name an account: by `id`, or by connector and identifier; narrowed by its owner. */
export interface AccountAddress {
  readonly id?: string;
  readonly connector?: string;
  readonly identifier?: string;
  readonly organization_id?: string;
  readonly user_id?: string;
}

/** The account of this pair (behaviour A4); there is one at most. */
export const findByPair = (state: State, connector: string, identifier: string): AccountRow | undefined =>
  rowsBy(state.connected_accounts, 'pair', pairKey(connector, identifier))[0];

/** Behaviour A2: says what is missing to name an account. */
export const addressViolations = ({ id, connector, identifier }: AccountAddress): FieldViolation[] => {
  if (id !== undefined || (connector !== undefined && identifier !== undefined)) return [];
  if (connector !== undefined) return [missing('identifier', 'connector came without identifier.')];
  if (identifier !== undefined) return [missing('connector', 'identifier came without connector.')];
  return [missing('id', 'The account is not named.')];
};

const missing = (field: string, what: string): FieldViolation => ({
  field,
  constraint: 'required',
  description: `${what} Send id, or connector and identifier.`,
});

/**
 * The account an address names; with both, `id` wins (behaviour A2).
 * @throws Refusal 400 if the address names none, 404 if there is no such account or another owner was named
 */
export const requireAccount = (state: State, address: AccountAddress): AccountRow => {
  refuse(addressViolations(address));
  const account = findAccount(state, address);
  if (!account) throw noSuchAccount(address);
  return account;
};

/** The account an address names, if there is one such. */
export const findAccount = (state: State, address: AccountAddress): AccountRow | undefined => {
  const { id, connector = '', identifier = '' } = address;
  const account =
    id === undefined ? findByPair(state, connector, identifier) : getRow(state.connected_accounts, id);
  return account && isOwnedAsNamed(account, address) ? account : undefined;
};

/** Whether the owner that an address narrows by, if any, is the account's. */
const isOwnedAsNamed = (account: AccountRow, { organization_id, user_id }: AccountAddress): boolean =>
  (organization_id === undefined || organization_id === account.organization_id) &&
  (user_id === undefined || user_id === account.user_id);

const noSuchAccount = (address: AccountAddress): Refusal => {
  const owners = (['organization_id', 'user_id'] as const).flatMap((name) =>
    address[name] === undefined ? [] : [` with ${name} ${address[name]}`],
  );
  const named = address.id ?? `${address.connector} of ${address.identifier}`;
  return notFound(
    `connected_account ${named}${owners.join('')}`,
    'GET /api/v1/connected_accounts lists those there are.',
    'A2',
  );
};

/** @throws Refusal 409 if the pair has an account (behaviour A4) */
export const requireFreePair = (state: State, connector: string, identifier: string): void => {
  const account = findByPair(state, connector, identifier);
  if (!account) return;
  throw new Refusal(
    'RESOURCE_ALREADY_EXISTS',
    `Connector ${account.connector} has an account for ${identifier} already: ${account.id}.`,
    'Update that one, or delete it first.',
    {
      rule: 'A4',
      resource: { resource_name: `connected_account ${account.id}`, description: 'It exists already.' },
    },
  );
};

/** What is true of accounts whose identifier, provider or connector contains a text, in any case (behaviour A1). */
export const containsText = (text: string): ((account: AccountRow) => boolean) => {
  const wanted = text.toLowerCase();
  const contains = (value: string): boolean => value.toLowerCase().includes(wanted);
  return ({ identifier, provider, connector }) =>
    contains(identifier) || contains(provider) || contains(connector);
};
