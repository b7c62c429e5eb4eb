/** The credentials of this environment, ready to paste. */
import type { Schemas } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Facts } from '../parts/cards.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Samples, toCurl, toSamples } from '../parts/samples.tsx';
import { Screen } from '../parts/screen.tsx';

const BASE = location.origin;

export const Credentials = () => {
  const { details } = useEnvironment();
  const values = [
    ['Base URL', BASE],
    ['Environment', details.id],
    ['Client ID', details.client_id],
    ['Client secret', details.client_secret],
    ['Access token', details.access_token],
  ] as const;
  return (
    <Screen title="Credentials">
      <Facts className="card facts" of={values.map(presentValue)} />
      <Samples samples={toSnippets(details)} />
    </Screen>
  );
};

const presentValue = ([title, value]: readonly [string, string | undefined]) =>
  [title, value && [<code>{value}</code>, <CopyButton label="Copy" of={title} text={value} />]] as const;

const toSnippets = ({
  client_id = '',
  client_secret = '',
  access_token,
}: Schemas['Environment']): Readonly<Record<string, string>> => ({
  ...toSamples({
    method: 'GET',
    url: `${BASE}/api/v1/connected_accounts`,
    headers: { Authorization: `Bearer ${access_token ?? 'TOKEN'}` },
  }),
  environment: `CA_MOCK_URL=${BASE}
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
