/**
 * Prepares the data for all servers: the scenario with 10,000 accounts, and for the peers the bodies that our server
 * answers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { askOnce, freePort, SERVER_CORE, startPinned, stop, untilFirst200 } from './machine.mjs';
import { ours, SCRATCH } from './peers.mjs';
import { ACCOUNTS, LIST, TOKEN } from './work.mjs';

const CONTRACT = new URL('../../openapi.yaml', import.meta.url);

const ORGANIZATION = 'org_100000000000000001';
const USER = 'usr_100000000000000001';

/** Writes a scenario with one organization, one connector, `mail`, and this number of accounts with credentials. */
const writeScenario = (accounts) => {
  const file = join(SCRATCH, `accounts-${accounts}.json`);
  const development = {
    clients: [{ client_id: 'dev-client', client_secret: 'dev-secret' }],
    access_tokens: [TOKEN],
    organizations: [{ id: ORGANIZATION, name: 'acme', display_name: 'Acme' }],
    users: [{ id: USER, email: 'owner@acme.test' }],
    connections: [
      { key_id: 'mail', type: 'OAUTH', provider: 'GOOGLE' },
      { key_id: 'chat', type: 'OAUTH', provider: 'MICROSOFT' },
    ],
    connected_accounts: [
      {
        repeat: accounts,
        connector: 'mail',
        identifier: 'person-{n}@acme.test',
        organization_id: 'acme',
        authorization_details: { oauth_token: { access_token: 'at-{n}', refresh_token: 'rt-{n}' } },
      },
      // Every scenario has these ten accounts.
      { repeat: 10, connector: 'chat', identifier: 'owned-{n}@acme.test', user_id: USER },
    ],
  };
  writeFileSync(file, JSON.stringify({ description: `${accounts} accounts`, environments: { development } }));
  return file;
};

/** Makes the files for the peers from the answers of our server. */
export const prepare = async () => {
  const scenario = writeScenario(ACCOUNTS);
  const { list, account } = await askOurs(scenario);
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({
    ...account,
    id: `ca_${String(index + 1).padStart(18, '0')}`,
    identifier: `person-${index + 1}@acme.test`,
  }));
  const files = { scenario, data: join(SCRATCH, 'data.json'), contract: join(SCRATCH, 'contract.json') };
  writeFileSync(files.data, JSON.stringify({ list, accounts }));
  writeFileSync(
    files.contract,
    JSON.stringify({ ...parse(readFileSync(CONTRACT, 'utf8')), servers: [{ url: '/' }] }),
  );
  return { files, list };
};

const askOurs = async (scenario) => {
  const port = await freePort();
  const child = startPinned(SERVER_CORE, ours(scenario).command(String(port)));
  await untilFirst200(child, port, LIST, TOKEN);
  const list = await getJson(port, LIST);
  const { connected_account } = await getJson(
    port,
    `${LIST}/auth?connector=mail&identifier=person-1%40acme.test`,
  );
  await stop(child);
  return { list, account: connected_account };
};

/** Gets a path, and returns the JSON of the 200 answer. */
export const getJson = async (port, path) => {
  const text = await askOnce(
    port,
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
  );
  const [head, body] = text.split(/\r\n\r\n(.*)/s);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`${path}: ${text.slice(0, 500)}`);
  return JSON.parse(/transfer-encoding: chunked/i.test(head) ? joinChunks(body) : body);
};

const joinChunks = (text) => text.replace(/^[0-9a-f]+\r\n/i, '').replace(/\r\n(?:[0-9a-f]+\r\n)?/gi, '');
