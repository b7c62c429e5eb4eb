/** The environment's credentials, and a form for its settings, generated from the control plane's OpenAPI schema. */
import { DEFAULT_SETTINGS, writeSettings } from '../../../model/domain/settings.ts';
import { call, type Row, within } from '../live/api.ts';
import { type Environment, useEnvironment } from '../live/environment.tsx';
import { CopyButton } from '../parts/buttons.tsx';
import { Samples, toCurl, toSamples } from '../parts/code.tsx';
import { SchemaForm } from '../parts/forms.tsx';
import { Facts, Screen } from '../parts/layout.tsx';
import { readBodySchema } from '../reference/document.ts';

export const Settings = () => {
  const { name, details } = useEnvironment();
  const save = (change: Row): Promise<string> =>
    call('PATCH', within(name, '/settings'), change).then(() => 'Settings saved.');
  return (
    <Screen title="Settings">
      <div class="card form-card">
        <SchemaForm
          read={() => readBodySchema('changeSettings')}
          row={details.settings}
          defaults={{ ...writeSettings(DEFAULT_SETTINGS) }}
          action="Save settings"
          onSend={save}
        />
      </div>
    </Screen>
  );
};

const BASE = location.origin;

export const Credentials = () => {
  const { details } = useEnvironment();
  const values = {
    'Base URL': BASE,
    Environment: details.id,
    'Client ID': details.client_id,
    'Client secret': details.client_secret,
    'Access token': details.access_token,
  };
  const facts = Object.entries(values).map(([title, value]) => {
    const shown = value && [<code>{value}</code>, <CopyButton label="Copy" of={title} text={value} />];
    return [title, shown] as const;
  });
  return (
    <Screen title="Credentials">
      <Facts className="card facts" of={facts} />
      <Samples samples={toSnippets(details)} />
    </Screen>
  );
};

const toSnippets = ({ client_id = '', client_secret = '', access_token }: Environment) => ({
  ...toSamples({
    method: 'GET',
    url: `${BASE}/api/v1/connected_accounts`,
    headers: { Authorization: `Bearer ${access_token ?? 'TOKEN'}` },
  }),
  variables: `CA_MOCK_URL=${BASE}
CA_MOCK_CLIENT_ID=${client_id}
CA_MOCK_CLIENT_SECRET=${client_secret}
CA_MOCK_ACCESS_TOKEN=${access_token ?? ''}`,
  token: toCurl({
    method: 'POST',
    url: `${BASE}/oauth/token`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })),
  }),
});
