/** All cases, by area: the order in which they run and are shown. */
import type { Case } from './case.ts';
import { ACCOUNT_TIME_CASES } from './cases/account-time.ts';
import { CONNECTION_CASES } from './cases/connections.ts';
import { CREATE_ACCOUNT_CASES } from './cases/create-account.ts';
import { DELETE_ACCOUNT_CASES } from './cases/delete-account.ts';
import { ENVIRONMENT_CASES } from './cases/environments.ts';
import { ERROR_CASES } from './cases/errors.ts';
import { INVITATION_CASES } from './cases/invitations.ts';
import { LIMIT_CASES } from './cases/limits.ts';
import { LINK_CASES } from './cases/links.ts';
import { LIST_ACCOUNTS_CASES } from './cases/list-accounts.ts';
import { LOG_CASES } from './cases/logs.ts';
import { MEMBERSHIP_CASES } from './cases/memberships.ts';
import { PROVIDER_CASES } from './cases/providers.ts';
import { READ_ACCOUNT_CASES } from './cases/read-account.ts';
import { REQUEST_CASES } from './cases/requests.ts';
import { SEARCH_ACCOUNTS_CASES } from './cases/search-accounts.ts';
import { TOKEN_CASES } from './cases/tokens.ts';
import { TRANSPORT_CASES } from './cases/transport.ts';
import { UPDATE_ACCOUNT_CASES } from './cases/update-account.ts';
import { USER_CASES } from './cases/users.ts';
import { VERIFY_USER_CASES } from './cases/verify-user.ts';

export interface Area {
  readonly name: string;
  readonly cases: readonly Case[];
}

export const SUITE: readonly Area[] = Object.entries({
  tokens: TOKEN_CASES,
  environments: ENVIRONMENT_CASES,
  transport: TRANSPORT_CASES,
  requests: REQUEST_CASES,
  'accounts: create': CREATE_ACCOUNT_CASES,
  'accounts: list': LIST_ACCOUNTS_CASES,
  'accounts: search': SEARCH_ACCOUNTS_CASES,
  'accounts: read': READ_ACCOUNT_CASES,
  'accounts: update': UPDATE_ACCOUNT_CASES,
  'accounts: delete': DELETE_ACCOUNT_CASES,
  'accounts: time': ACCOUNT_TIME_CASES,
  links: LINK_CASES,
  verify: VERIFY_USER_CASES,
  connections: CONNECTION_CASES,
  'custom providers': PROVIDER_CASES,
  users: USER_CASES,
  memberships: MEMBERSHIP_CASES,
  invitations: INVITATION_CASES,
  'authentication logs': LOG_CASES,
  errors: ERROR_CASES,
  limits: LIMIT_CASES,
}).map(([name, cases]) => ({ name, cases }));
