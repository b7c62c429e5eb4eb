/**
 * Warms a process up: runs what the first calls would otherwise have to load and compile. The calls go to a mock of their own, so
 * that the mock which is served shows no trace of them.
 */
import { createMock } from './create.ts';

const SCENARIO = { environments: { warm: { connections: [{ key_id: 'mail' }] } } };
const ACCOUNTS = '/api/v1/connected_accounts';

let warmed: Promise<void> | undefined;

/** Works once for each process. Never fails. */
export const warmUp = (): Promise<void> => {
  warmed ??= callOnce().catch(() => {}); // what fails here fails again, with its message, in the first call of a user
  return warmed;
};

const callOnce = async (): Promise<void> => {
  const mock = createMock({ scenario: SCENARIO, log: 'silent' });
  const environment = await mock.createEnvironment();
  const { clientId: client_id, clientSecret: client_secret, accessToken } = environment.credentials;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ connector: 'mail', identifier: 'warm@acme.test' });
  await environment.faults.add({ operation: 'listConnections', status: 503 });
  for (const [path, init] of [
    ['/oauth/token', { method: 'POST', body: form }],
    [ACCOUNTS, { method: 'POST', headers, body }],
    [ACCOUNTS, { headers }],
    ['/api/v1/connections', { headers }],
  ] as const)
    await (await mock.fetch(path, init)).text();
  await environment.requests();
  await environment.delete();
  await mock.close();
};
