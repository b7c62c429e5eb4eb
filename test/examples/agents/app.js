// An application of agents. It connects accounts, invites users, and calls tools by the Model Context Protocol.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import express from 'express';

const ORGANIZATION = 'org_acme';
const CONFLICT = 409;

/** @param url the address of the API @param token an access token */
export const createApp = ({ url, token }) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  /** Calls the API, and tries once more if the connection is lost. Nobody knows then whether the first try took effect. */
  const call = async (method, path, body) => {
    const send = () => fetch(`${url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    const response = await send().catch(send);
    return { status: response.status, ...(await response.json()) };
  };

  const accountOf = async (connector, identifier) => {
    const query = new URLSearchParams({ connector, identifier });
    return (await call('GET', `/connected_accounts?${query}`)).connected_accounts[0];
  };

  const callTool = async (name, connector, identifier) => {
    const { connections } = await call('GET', '/connections');
    const { mcp_server_url } = connections.find(({ key_id }) => key_id === connector);
    const client = new Client({ name: 'agents', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(mcp_server_url), { requestInit: { headers } }),
    );
    try {
      return await client.callTool({ name, arguments: { identifier } });
    } finally {
      await client.close();
    }
  };

  const app = express();
  app.use(express.json());

  app.post('/connect', async ({ body: { connector, identifier } }, response) => {
    const made = await call('POST', '/connected_accounts', { connector, identifier });
    const account =
      made.status === CONFLICT ? await accountOf(connector, identifier) : made.connected_account; // a conflict: the lost try took effect
    response.json({ id: account.id, status: account.status });
  });

  app.post('/invite', async ({ body: { email } }, response) => {
    const { user } = await call('POST', '/users', { email });
    const path = `/memberships/organizations/${ORGANIZATION}/users/${user.id}`;
    const invited = await call('POST', path, {});
    response.status(invited.status === CONFLICT ? 200 : invited.status).json({ user: user.id });
  });

  app.post('/tools/:name', async ({ params, body: { connector, identifier } }, response) => {
    const { isError = false, content } = await callTool(params.name, connector, identifier);
    response.status(isError ? 424 : 200).json({ text: content[0].text });
  });
  return app;
};
