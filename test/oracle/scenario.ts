/** The scenario with which the model starts, and texts by which the tests recognize leaked secrets. */
import { CONNECTORS } from './model/world.ts';

/** Part of credentials that callers may read back. Only answers that show credentials may contain it. */
export const CREDENTIAL = 'credential-';
/** What a caller sends in response-only members such as secret_access_key. No answer may contain it. */
export const FORBIDDEN = 'never-to-be-seen';

export const CLIENT = { client_id: 'model-client', client_secret: `${CREDENTIAL}client-secret` };
export const BEARER = `${CREDENTIAL}bearer`;

const JOINED = { membership_status: 'ACTIVE', join_time: 'now', accepted_at: 'now' };
const TOKENS = {
  access_token: `${CREDENTIAL}first-access`,
  refresh_token: `${CREDENTIAL}first-refresh`,
};

const model = {
  id: 'env_model',
  clients: [CLIENT],
  access_tokens: [BEARER],
  organizations: [
    { id: 'org_acme', name: 'acme', display_name: 'Acme' },
    { id: 'org_globex', name: 'globex', display_name: 'Globex' },
  ],
  roles: [
    { id: 'role_member', name: 'member', default: true, permissions: ['read'] },
    { id: 'role_admin', name: 'admin', extends: 'member', permissions: ['write'] },
  ],
  users: [
    {
      ...{ id: 'usr_000000000000ada', email: 'ada@acme.test' },
      user_profile: { given_name: 'Ada' },
      memberships: [{ organization_id: 'acme', provisioning_method: 'direct_provision', ...JOINED }],
    },
    {
      ...{ id: 'usr_0000000000grace', email: 'grace@acme.test' },
      user_profile: { given_name: 'Grace' },
    },
    { id: 'usr_0000000noprofile', email: 'nobody@acme.test', user_profile: null },
  ],
  connections: Object.entries(CONNECTORS).map(([key_id, row]) => ({
    id: `conn_${key_id}`,
    key_id,
    provider: 'CUSTOM',
    status: 'COMPLETED',
    enabled: true,
    ...row,
  })),
  connected_accounts: [
    {
      ...{ id: 'ca_first', connector: 'mail', identifier: 'ada@acme.test', organization_id: 'acme' },
      ...{ status: 'ACTIVE', token_expires_at: '+1h', refresh: 'grant' },
      authorization_details: { oauth_token: TOKENS },
    },
  ],
};

export const SCENARIO = { clock: '2026-03-01T12:00:00.000Z', environments: { model } };
