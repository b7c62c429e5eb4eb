// Stands in for your application, in which the address of the API must be configurable.
export interface Service {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const fetchToken = async ({ baseUrl, clientId, clientSecret }: Service): Promise<string> => {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
};

/** Lists the names of the connections. If the service is busy, tries once more. */
export const listConnections = async (service: Service): Promise<readonly string[]> => {
  const headers = { authorization: `Bearer ${await fetchToken(service)}` };
  const list = () => fetch(`${service.baseUrl}/api/v1/connections`, { headers });
  let response = await list();
  if (response.status === 503) response = await list();
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  const { connections } = (await response.json()) as { connections: { key_id: string }[] };
  return connections.map(({ key_id }) => key_id);
};

/** Asks for a link that lets a user connect an account. */
export const createLink = async (
  service: Service,
  connector: string,
  identifier: string,
): Promise<string> => {
  const response = await fetch(`${service.baseUrl}/api/v1/connected_accounts/magic_link`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await fetchToken(service)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ connector, identifier }),
  });
  return ((await response.json()) as { link: string }).link;
};
