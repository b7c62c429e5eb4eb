/** A mock with hosted pages to visit: a link of each kind, named after its connector, and invitations. */
import { beforeEach, expect } from '@jest/globals';
import type { MockOptions } from '#mock';
import { type Answer, type CallOptions, testServer } from '../../support/server.ts';

const provider = (display_name: string, type: string, fields: readonly object[]) => {
  const proxy_url = 'https://desk.acme.test';
  return { display_name, proxy_url, auth_patterns: [{ type, fields }] };
};

const invited = (nth: number, membership_status: string, invite: object) => {
  const membership = { organization_id: 'acme', membership_status, inviter_email: 'ada@acme.test', invite };
  return { id: `usr_10000000000000000${nth}`, memberships: [membership] };
};

/** Names that parts of the page have too. */
export const OTHERS = [
  ...['organization', 'connector', 'provider', 'submit', 'credentials', 'environment', 'lead', 'problem'],
];

const user_verify_url = 'https://app.acme.test/verify?keep=%20me#part';
const LINKS = ['mail', 'crm', 'helpdesk', 'events', 'desk', 'crowded', 'chat'].map((connector) => ({
  token: `link-${connector}`,
  account: `${connector}/user@acme.test`,
  ...(connector === 'chat' ? { expires_at: 'never' } : { user_verify_url, state: 'a b&c' }),
}));

const development = {
  connections: [
    { key_id: 'desk', type: 'BASIC', provider_key: 'Form Desk' },
    { key_id: 'crowded', type: 'API_KEY', provider_key: 'Crowded' },
  ],
  custom_providers: [
    provider('Form Desk', 'BASIC', [
      { name: 'site', label: 'Site address' },
      { name: 'pass', label: 'Pass phrase', input_type: 'password' },
      { name: 'note', label: 'Note', required: false },
    ]),
    provider('Crowded', 'API_KEY', [
      { name: 'deny' },
      { name: 'identifier' },
      { name: 'decision' },
      { name: 'field-site' },
      ...OTHERS.map((name) => ({ name, required: false })),
    ]),
  ],
  users: [
    invited(2, 'PENDING_INVITE', { token: 'token-grace' }),
    invited(3, 'INVITE_EXPIRED', { token: 'token-linus' }),
    invited(5, 'INVITE_EXPIRED', { token: 'token-revoked', status: 'revoked' }),
  ],
  connected_accounts: LINKS.map(({ account }) => {
    const [connector, identifier] = account.split('/');
    return { connector, identifier, organization_id: 'acme', status: 'PENDING_AUTH' };
  }),
  authorization_links: LINKS,
};

export const MAIL = '/magicLink/link-mail';
export const CRM = '/magicLink/link-crm';
/** A link without `user_verify_url`. It never expires. */
export const CHAT = '/magicLink/link-chat';
export const GRACE = '/invitations/token-grace';

/** Makes a mock whose environment `development` is reset before each test. */
export const hostedPages = async (options: MockOptions = {}) => {
  const scenario = { extends: 'default', environments: { development } } as MockOptions['scenario']; // the mock checks the scenario
  const { mock, call } = testServer({ scenario, clock: '2026-03-01T12:00:00Z', ...options });
  const env = await mock.environment('development');
  beforeEach(() => env.reset());
  const visit = (path: string, { method = 'GET', ...given }: CallOptions & { method?: string } = {}) =>
    call(method, path, { token: null, ...given });
  return {
    env,
    visit,
    post: (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      visit(path, { method: 'POST', body: new URLSearchParams(form), headers }),
    /** Requires that a visit does not change the state. */
    unchanged: async (happen: () => Promise<Answer>): Promise<Answer> => {
      const before = await env.state();
      const answer = await happen();
      expect(await env.state()).toEqual(before);
      return answer;
    },
    /** The account of the link for a connector, as `/auth` shows it. */
    accountOf: async (connector: string) => {
      const query = `connector=${connector}&identifier=user@acme.test`;
      return (await call('GET', `/api/v1/connected_accounts/auth?${query}`)).body.connected_account;
    },
  };
};
