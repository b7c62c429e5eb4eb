/** What a person at a terminal reads when the mock is ready: where it is, and what to try first. */
import type { Mock } from '../index.ts';
import { columns } from './columns.ts';

export const formatReady = (mock: Mock): string => {
  const { url, scenario } = mock;
  const description = scenario.description && ` (${scenario.description})`;
  return `ca-mock is ready at ${url}

${columns(
  [
    ['Scenario', `${scenario.name}${description}`],
    ['Console', `${url}/_mock/`],
    ['API reference', `${url}/_mock/docs`],
    ['Guide', `${url}/_mock/guide`],
  ],
  '  ',
)}

${columns([['Environment', 'Client id / client secret / access token'], ...credentialRows(mock)], '  ')}

  Try it:
  ${readyMadeCall(mock)}

`;
};

/** What a program reads when the mock is ready, a line each. */
export const readyEntries = (mock: Mock): readonly object[] => [
  { event: 'ready', url: mock.url },
  ...mock.environments().map(({ name, credentials: { clientId, clientSecret, accessToken } }) => ({
    event: 'environment',
    name,
    client_id: clientId,
    client_secret: clientSecret,
    access_token: accessToken,
  })),
  { event: 'address', of: 'console', url: `${mock.url}/_mock/` },
  { event: 'address', of: 'reference', url: `${mock.url}/_mock/docs` },
  { event: 'address', of: 'guide', url: `${mock.url}/_mock/guide` },
];

const credentialRows = (mock: Mock): (readonly [string, string])[] =>
  mock
    .environments()
    .map(({ name, credentials: { clientId, clientSecret, accessToken } }) => [
      name,
      [clientId, clientSecret, accessToken].map((value) => value || 'none').join(' / '),
    ]);

const LIST = '/api/v1/connected_accounts';

/** Without a fixed bearer, the first call is the one that asks for a token. */
const readyMadeCall = (mock: Mock): string => {
  const { clientId, clientSecret, accessToken } = mock.environment().credentials;
  const curl = mock.url.startsWith('https:') ? 'curl --insecure' : 'curl';
  return accessToken
    ? `${curl} -H 'Authorization: Bearer ${accessToken}' ${mock.url}${LIST}`
    : `${curl} -d grant_type=client_credentials -d client_id=${clientId} -d client_secret=${clientSecret} ${mock.url}/oauth/token`;
};
