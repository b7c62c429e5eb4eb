/** Ways to use an environment's credentials. */
import type { Schemas } from '../live/api.ts';

type Snippet = (url: string, environment: Schemas['Environment']) => string;

export const SNIPPETS: Readonly<Record<string, Snippet>> = {
  curl: (url, { access_token = 'TOKEN' }) =>
    `curl ${url}/api/v1/connected_accounts \\
  -H 'Authorization: Bearer ${access_token}'`,
  fetch: (url, { access_token = 'TOKEN' }) =>
    `const response = await fetch('${url}/api/v1/connected_accounts', {
  headers: { Authorization: 'Bearer ${access_token}' },
});
const { connected_accounts } = await response.json();`,
  environment: (url, { client_id = '', client_secret = '', access_token = '' }) =>
    `BASE_URL=${url}
CLIENT_ID=${client_id}
CLIENT_SECRET=${client_secret}
ACCESS_TOKEN=${access_token}`,
  token: (url, { client_id = '', client_secret = '' }) =>
    `curl ${url}/oauth/token \\
  -d grant_type=client_credentials \\
  -d client_id=${client_id} \\
  -d client_secret=${client_secret}`,
};
