/** The servers that are measured, with the same data. The peers are made of the packages that the mock is made of. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { getJson, startServer, stop } from './machine.mjs';
import { ACCOUNTS, AUTH, LIST } from './work.mjs';

const SCRATCH = mkdtempSync(join(tmpdir(), 'ca-mock-bench-'));
process.once('exit', () => rmSync(SCRATCH, { recursive: true }));
const ROOT = new URL('../../', import.meta.url).pathname;
export const DIST = process.env.CA_MOCK_DIST ?? join(ROOT, 'dist');

const ORGANIZATION = 'org_100000000000000001';
const USER = 'usr_100000000000000001';

/** One organization, one connector, `mail`, and its accounts with credentials. */
const SCENARIO = {
  clients: [{ client_id: 'dev-client', client_secret: 'dev-secret' }],
  access_tokens: ['dev-token'],
  organizations: [{ id: ORGANIZATION, name: 'acme', display_name: 'Acme' }],
  users: [{ id: USER, email: 'owner@acme.test' }],
  connections: [{ key_id: 'mail', type: 'OAUTH', provider: 'GOOGLE' }],
  connected_accounts: [
    {
      repeat: ACCOUNTS,
      connector: 'mail',
      identifier: 'person-{n}@acme.test',
      organization_id: 'acme',
      authorization_details: { oauth_token: { access_token: 'at-{n}', refresh_token: 'rt-{n}' } },
    },
  ],
};

const ours = (scenario) => [
  join(DIST, 'cli.js'),
  ...['start', '--port', 'PORT', '--scenario', scenario, '--log', 'silent'],
];

const writeJson = (name, value) => {
  const file = join(SCRATCH, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
};

/** Prepares the data. @returns the command of each server by its name, and our list */
export const prepareServers = async () => {
  const scenario = writeJson('accounts.json', { environments: { development: SCENARIO } });
  const { child, port } = await startServer(ours(scenario));
  const list = await getJson(port, LIST);
  const { connected_account } = await getJson(port, `${AUTH}1%40acme.test`);
  await stop(child);
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({
    ...connected_account,
    id: `ca_${String(index + 1).padStart(18, '0')}`,
    identifier: `person-${index + 1}@acme.test`,
  }));
  const document = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'));
  const data = writeJson('data.json', { list, accounts });
  const contract = writeJson('contract.json', { ...document, servers: [{ url: '/' }] });
  const express = join(import.meta.dirname, 'express.mjs');
  const peers = { Express: [express, 'PORT', data], 'Express + EOV': [express, 'PORT', data, contract] };
  return {
    starting: { 'ca-mock': ours('default'), ...peers },
    serving: { 'ca-mock': ours(scenario), ...peers },
    list,
  };
};
