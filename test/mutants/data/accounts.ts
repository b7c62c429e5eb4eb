/** A1 to A10. */
import type { Mutant } from '../mutant.ts';

export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  {
    rule: 'A1',
    file: 'src/operations/connected-accounts.ts',
    find: 'query.connector !== undefined && query.connection_names?.length ? [BOTH_CONNECTOR_FILTERS] : []',
    replace: '[]',
    breaks: 'connection_names beside connector is dropped in silence.',
  },
  {
    rule: 'A1',
    file: 'src/domain/account.ts',
    find: 'authorization_type: row.authorization_type,',
    replace: 'authorization_type: row.authorization_type, ...{ api_config: row.api_config },',
    breaks: 'Lists show an eleventh member.',
  },
  {
    rule: 'A2',
    file: 'src/domain/account-lookup.ts',
    find: 'account && isOwnedAsNamed(account, address) ? account',
    replace: 'account ? account',
    breaks: 'An account is found under an owner that is not its own.',
  },
  {
    rule: 'A2',
    file: 'src/operations/authorization.ts',
    find: 'const connector = id === undefined ? findConnector(state, name) : undefined;',
    replace: 'const connector = findConnector(state, name);',
    breaks: 'A link is made for the connector beside the id.',
  },
  {
    rule: 'A3',
    file: 'src/domain/connection.ts',
    find: "NO_AUTH: { authorization_type: 'NO_AUTH' },",
    replace: "NO_AUTH: { authorization_type: 'NO_AUTH' }, OIDC: { authorization_type: 'NO_AUTH' },",
    breaks: 'A sign-in connection holds accounts.',
  },
  {
    rule: 'A4',
    file: 'src/domain/account-lookup.ts',
    find: 'if (!account) return;',
    replace: 'if (!account?.updated_at || account.updated_at) return;',
    breaks: 'A pair may have two accounts.',
  },
  {
    rule: 'A5',
    file: 'src/domain/credentials.ts',
    find: '.filter((name) => name !== kind.credentials)',
    replace: '.filter(() => false)',
    breaks: 'Credentials that do not fit the connector are taken.',
  },
  {
    rule: 'A6',
    file: 'src/operations/connected-account-changes.ts',
    find: 'return hasMembers(sent) ? { authorization_details: sent } : {};',
    replace: "return { stored_status: 'ACTIVE', authorization_details: sent };",
    breaks: 'An OAuth account without a token is ACTIVE.',
  },
  {
    rule: 'A7',
    file: 'src/operations/connected-account-changes.ts',
    find: 'api_config: { ...account.api_config, ...sent.api_config }',
    replace: 'api_config: sent.api_config',
    breaks: 'An update of api_config drops the members that it does not name.',
  },
  {
    rule: 'A8',
    file: 'src/domain/account.ts',
    find: 'hasEnded(row.token_expires_at, env) && !isRefreshable(row)',
    replace: 'hasEnded(row.token_expires_at, env)',
    breaks: 'An account that the provider would refresh reads EXPIRED.',
  },
  {
    rule: 'A9',
    file: 'src/domain/account-changes.ts',
    find: 'connected_accounts: removeRow(next.connected_accounts, id)',
    replace: 'connected_accounts: next.connected_accounts',
    breaks: 'A deleted account is still there.',
  },
  {
    rule: 'A10',
    file: 'src/operations/connected-accounts.ts',
    find: 'presentDetails(state, requireAccount(state, query), env)',
    replace: 'presentAccount(state, requireAccount(state, query), env)',
    breaks: 'Details show the credentials.',
  },
];
