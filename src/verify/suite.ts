/** All cases, by area: the order in which they run and are shown. */
import type { Case } from './case.ts';
import { ACCOUNT_FIELD_CASES } from './cases/account-fields.ts';
import { ADDRESSING_CASES } from './cases/addressing.ts';
import { CONNECTION_FIELD_CASES } from './cases/connection-fields.ts';
import { CONNECTION_CASES } from './cases/connections.ts';
import { CONSENT_CASES } from './cases/consent.ts';
import { CREATE_CASES } from './cases/create.ts';
import { CREATE_REFUSAL_CASES } from './cases/create-refusals.ts';
import { CREDENTIAL_FIELD_CASES } from './cases/credential-fields.ts';
import { DELETE_CASES } from './cases/delete.ts';
import { ENVIRONMENT_CASES } from './cases/environments.ts';
import { EXPIRY_CASES } from './cases/expiry.ts';
import { INVITATION_CASES } from './cases/invitations.ts';
import { ACCOUNT_LIMIT_CASES } from './cases/limits-accounts.ts';
import { IDENTITY_LIMIT_CASES } from './cases/limits-identity.ts';
import { LIST_LIMIT_CASES } from './cases/limits-lists.ts';
import { LINK_CASES } from './cases/links.ts';
import { LIST_CASES } from './cases/list.ts';
import { LIST_FILTER_CASES } from './cases/list-filters.ts';
import { LOG_CASES } from './cases/logs.ts';
import { MEMBERSHIP_STATE_CASES } from './cases/membership-states.ts';
import { MEMBERSHIP_CASES } from './cases/memberships.ts';
import { PROVIDER_CHANGE_CASES } from './cases/provider-changes.ts';
import { PROVIDER_CASES } from './cases/providers.ts';
import { READ_CASES } from './cases/read.ts';
import { RECORD_FIELD_CASES } from './cases/record-fields.ts';
import { REFUSAL_CASES } from './cases/refusals.ts';
import { REQUEST_CASES } from './cases/requests.ts';
import { SEARCH_CASES } from './cases/search.ts';
import { STATE_CASES } from './cases/states.ts';
import { TOKEN_CASES } from './cases/tokens.ts';
import { TRANSPORT_CASES } from './cases/transport.ts';
import { UPDATE_CASES } from './cases/update.ts';
import { USER_FIELD_CASES } from './cases/user-fields.ts';
import { USER_LIMIT_CASES } from './cases/user-limits.ts';
import { VERIFY_CASES } from './cases/verify.ts';

export interface Area {
  readonly name: string;
  readonly cases: readonly Case[];
}

export const SUITE: readonly Area[] = [
  { name: 'tokens', cases: TOKEN_CASES },
  { name: 'environments', cases: ENVIRONMENT_CASES },
  { name: 'transport', cases: [...TRANSPORT_CASES, ...REQUEST_CASES] },
  { name: 'accounts: create', cases: [...CREATE_CASES, ...CREATE_REFUSAL_CASES] },
  { name: 'accounts: list', cases: [...LIST_CASES, ...LIST_FILTER_CASES] },
  { name: 'accounts: search', cases: SEARCH_CASES },
  { name: 'accounts: read', cases: READ_CASES },
  { name: 'accounts: update', cases: UPDATE_CASES },
  { name: 'accounts: delete', cases: DELETE_CASES },
  { name: 'accounts: time', cases: EXPIRY_CASES },
  { name: 'links', cases: [...LINK_CASES, ...CONSENT_CASES] },
  { name: 'verify', cases: VERIFY_CASES },
  { name: 'connections', cases: CONNECTION_CASES },
  { name: 'custom providers', cases: [...PROVIDER_CASES, ...PROVIDER_CHANGE_CASES] },
  { name: 'memberships', cases: [...MEMBERSHIP_CASES, ...MEMBERSHIP_STATE_CASES] },
  { name: 'invitations', cases: INVITATION_CASES },
  { name: 'authentication logs', cases: LOG_CASES },
  {
    name: 'fields',
    cases: [
      ...ACCOUNT_FIELD_CASES,
      ...CREDENTIAL_FIELD_CASES,
      ...CONNECTION_FIELD_CASES,
      ...USER_FIELD_CASES,
      ...RECORD_FIELD_CASES,
    ],
  },
  { name: 'addressing', cases: ADDRESSING_CASES },
  { name: 'states', cases: STATE_CASES },
  { name: 'refusals', cases: REFUSAL_CASES },
  {
    name: 'limits',
    cases: [...LIST_LIMIT_CASES, ...ACCOUNT_LIMIT_CASES, ...IDENTITY_LIMIT_CASES, ...USER_LIMIT_CASES],
  },
];
