/** The hosted pages over two small environments: a link of every kind, and an invitation. */
import express from 'express';
import { environmentKey } from '../../src/core/ids.ts';
import { absolute } from '../../src/core/moment.ts';
import { getRow, rowsBy } from '../../src/core/table.ts';
import type { AccountRow, ConnectionRow, LinkRow } from '../../src/domain/rows.ts';
import type { InitialEnvironment } from '../../src/domain/scenario.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/domain/settings.ts';
import type { State } from '../../src/domain/state.ts';
import { type Environment, initialState } from '../../src/environments/environment.ts';
import { Environments } from '../../src/environments/environments.ts';
import { loadContract } from '../../src/openapi/load.ts';
import { createSurfaces } from '../../src/openapi/members.ts';
import { mountHostedPages } from '../../src/pages/pages.ts';
import { MINUTE, START, stateOf } from '../support/core.ts';
import { ACME, directory } from '../support/people.ts';
import { accountRow, connectionRow } from '../support/rows.ts';
import { type CallOptions, send } from '../support/server.ts';

const VERIFY_URL = 'https://app.acme.test/verify?keep=%20me#part';

export const BASE_URL = 'http://mock.acme.test';

const DEVELOPMENT = 'env_100000000000000001';
export const PRODUCTION = 'env_100000000000000002';

/** A link's token as it leaves the server. */
export const sealed = (token: string, environmentId = DEVELOPMENT): string =>
  token + environmentKey(environmentId);

const FIELDS = [
  { name: 'site', label: 'Site address' },
  { name: 'pass', label: 'Pass phrase', input_type: 'password' },
  { name: 'note', label: 'Note', required: false },
];

const connections = (): ConnectionRow[] => [
  connectionRow({
    key_id: 'mail',
    type: 'OAUTH',
    provider: 'GOOGLE',
    scopes: ['mail.read', 'mail.send', 'profile.email'],
  }),
  connectionRow({ key_id: 'crm', type: 'API_KEY', provider: 'SALESFORCE' }),
  connectionRow({ key_id: 'helpdesk', type: 'BASIC' }),
  connectionRow({ key_id: 'events', type: 'BEARER' }),
  connectionRow({ key_id: 'desk', type: 'BASIC', provider_key: 'TICKET_DESK:1' }),
  connectionRow({ key_id: 'crowded', type: 'API_KEY', provider_key: 'CROWDED:1' }),
];

/** An account and an open link for it: both named after the connector. */
const authorizations = (link: Partial<LinkRow>) => {
  const names = connections().map(({ key_id }) => key_id);
  return {
    connected_accounts: names.map((connector) =>
      accountRow({ id: `ca_${connector}`, connector, identifier: 'ada@acme.test', organization_id: ACME }),
    ),
    authorization_links: names.map((connector) => ({
      token: `link-${connector}`,
      account_id: `ca_${connector}`,
      expires_at: absolute(START + 15 * MINUTE),
      ...link,
    })),
  };
};

/** Links `link-mail`, `link-crm` and so on, with these members; the invitations of `directory`. */
export const hostedState = (
  link: Partial<LinkRow> = { user_verify_url: VERIFY_URL, state: 'a b&c' },
): State =>
  stateOf(
    {
      connections: connections(),
      custom_providers: [
        {
          id: 'prv_1',
          identifier: 'TICKET_DESK:1',
          display_name: 'Ticket Desk',
          auth_patterns: [{ type: 'BASIC', fields: FIELDS }],
        },
        {
          id: 'prv_2',
          identifier: 'CROWDED:1',
          display_name: 'Crowded',
          auth_patterns: [
            { type: 'API_KEY', fields: ['deny', 'identifier', 'decision'].map((name) => ({ name })) },
          ],
        },
      ],
      ...authorizations(link),
    },
    directory(),
  );

const initial = (
  id: string,
  name: string,
  state: State,
  settings: Partial<Settings>,
): InitialEnvironment => ({
  id,
  name,
  state,
  settings: { ...DEFAULT_SETTINGS, ...settings },
  clock: { mode: 'frozen', now: START },
});

export const hostedPages = () => {
  const own = [
    initial(DEVELOPMENT, 'development', hostedState(), {}),
    initial(PRODUCTION, 'production', hostedState(), {}),
  ];
  const environments = new Environments(
    { name: 'hosted', description: '', seed: 1, environments: own },
    BASE_URL,
    createSurfaces(loadContract()),
  );
  const faults: unknown[] = [];
  const app = express().set('case sensitive routing', true).set('strict routing', true);
  mountHostedPages(app, { environments, onInternalError: (error) => faults.push(error) });
  app.use((_request, response) => {
    response.status(418).end('passed on');
  });
  const visit = (path: string, { method = 'GET', ...options }: CallOptions & { method?: string } = {}) =>
    send(app, method, path, { token: null, ...options });
  return {
    environments,
    /** The internal errors that the pages reported. */
    faults,
    /** Resets `development` to this state and these settings. */
    begin: (state = hostedState(), settings: Partial<Settings> = {}): Environment => {
      const environment = environments.first();
      const given = initial(DEVELOPMENT, 'development', state, settings);
      environments.change(environment, initialState(given));
      return environment;
    },
    visit,
    post: (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      visit(path, { method: 'POST', body: new URLSearchParams(form), headers }),
  };
};

/** The account of a connector, as it is now. */
export const accountOf = ({ current }: Environment, connector: string): AccountRow | undefined =>
  getRow(current.data.connected_accounts, `ca_${connector}`);

/** How many authorization requests of the account are open. */
export const requestCount = ({ current }: Environment, connector: string): number =>
  rowsBy(current.data.verification_requests, 'account_id', `ca_${connector}`).length;
