/** Finds the account that a request names (behaviour A2), and refuses a duplicate (behaviour A4). */
import { type FieldViolation, notFound, Refusal, refuse } from '../core/errors.ts';
import { getRow, rowsBy } from '../core/table.ts';
import type { AccountRow } from './rows.ts';
import { pairKey, type State } from './state.ts';

/** How a request names an account: by `id`, or by connector and identifier. An owner, if given, must match. */
export interface AccountAddress {
  readonly id?: string;
  readonly connector?: string;
  readonly identifier?: string;
  readonly organization_id?: string;
  readonly user_id?: string;
}

/** The only account of this connector and identifier, if there is one (behaviour A4). */
export const findByPair = (state: State, connector: string, identifier: string): AccountRow | undefined =>
  rowsBy(state.connected_accounts, 'pair', pairKey(connector, identifier))[0];

/** The violations of an address that lacks a member (behaviour A2). */
export const addressViolations = ({ id, connector, identifier }: AccountAddress): FieldViolation[] => {
  if (id !== undefined || (connector !== undefined && identifier !== undefined)) return [];
  if (connector !== undefined) return [missing('identifier', 'connector was sent without identifier.')];
  if (identifier !== undefined) return [missing('connector', 'identifier was sent without connector.')];
  return [missing('id', 'The account is not named.')];
};

const missing = (field: string, what: string): FieldViolation => ({
  field,
  constraint: 'required',
  description: `${what} Send id, or connector and identifier.`,
});

/**
 * The account that an address names; if the address has an id, only the id counts (behaviour A2).
 * @throws Refusal 400 if the address is incomplete, 404 if the account does not exist or has another owner
 */
export const requireAccount = (state: State, address: AccountAddress): AccountRow => {
  refuse(addressViolations(address));
  const account = findAccount(state, address);
  if (!account) throw noSuchAccount(address);
  return account;
};

/** The account that an address names, if there is one. */
export const findAccount = (state: State, address: AccountAddress): AccountRow | undefined => {
  const { id, connector = '', identifier = '' } = address;
  const account =
    id === undefined ? findByPair(state, connector, identifier) : getRow(state.connected_accounts, id);
  return account && isOwnedAsNamed(account, address) ? account : undefined;
};

/** Whether the account has the owner that the address gives, if it gives one. */
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
    'GET /api/v1/connected_accounts lists all of them.',
    'A2',
  );
};

/** Refuses a pair that an account has already. @throws Refusal 409 (behaviour A4) */
export const requireFreePair = (state: State, connector: string, identifier: string): void => {
  const account = findByPair(state, connector, identifier);
  if (!account) return;
  throw new Refusal(
    'RESOURCE_ALREADY_EXISTS',
    `Connector ${account.connector} already has an account for ${identifier}: ${account.id}.`,
    'Update that one, or delete it first.',
    {
      rule: 'A4',
      resource: { resource_name: `connected_account ${account.id}`, description: 'It exists already.' },
    },
  );
};

/** A test for accounts whose identifier, provider or connector contains the text, ignoring case (behaviour A1). */
export const containsText = (text: string): ((account: AccountRow) => boolean) => {
  const wanted = text.toLowerCase();
  const contains = (value: string): boolean => value.toLowerCase().includes(wanted);
  return ({ identifier, provider, connector }) =>
    contains(identifier) || contains(provider) || contains(connector);
};
