/**
 * Prepares the data for all servers: the scenario with 10,000 accounts, and for the peers the bodies that our server
 * answers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SCRATCH } from './install.mjs';
import { askOnce, freePort, SERVER_CORE, startPinned, stop, untilFirst200 } from './machine.mjs';
import { ours } from './peers.mjs';
import { ACCOUNTS, LIST, TOKEN } from './work.mjs';

const CONTRACT = new URL('../../openapi.yaml', import.meta.url);

export const ORGANIZATION = 'org_100000000000000001';
export const USER = 'usr_100000000000000001';

/** Writes a scenario with one organization, one connector, `mail`, and this number of accounts with credentials. */
export const writeScenario = (accounts) => {
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
  const contract = withExamples(parse(readFileSync(CONTRACT, 'utf8')), { list, account });
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({
    ...account,
    id: `ca_${String(index + 1).padStart(18, '0')}`,
    identifier: `person-${index + 1}@acme.test`,
  }));
  const inScratch = (name) => join(SCRATCH, name);
  const files = {
    scenario,
    data: inScratch('data.json'),
    contract: inScratch('contract.json'),
    mockoon: inScratch('mockoon.json'),
  };
  writeFileSync(files.mockoon, JSON.stringify(mockoonData({ list, account })));
  writeFileSync(files.data, JSON.stringify({ list, account, accounts, schemas: routeSchemas(contract) }));
  writeFileSync(files.contract, JSON.stringify(contract));
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

/** The contract with other examples of the three operations, for tools that answer from examples. */
const withExamples = (contract, { list, account }) => {
  const answers = contract.paths;
  const set = (response, value) => {
    Object.assign(response.content['application/json'], { example: value, examples: undefined });
    delete response.links;
  };
  set(answers[LIST].get.responses['200'], list);
  set(answers[LIST].post.responses['201'], { connected_account: account });
  set(answers[`${LIST}/auth`].get.responses['200'], { connected_account: account });
  contract.servers = [{ url: '/' }];
  return contract;
};

/** The three routes as a data file of Mockoon, which adds missing parts itself (`--repair`). */
const mockoonData = ({ list, account }) => {
  const one = { connected_account: account };
  const routes = [
    ['get', LIST, 200, list],
    ['get', `${LIST}/auth`, 200, one],
    ['post', LIST, 201, one],
  ].map(([method, path, statusCode, body], nth) => ({
    uuid: `route-${nth}`,
    type: 'http',
    method,
    endpoint: path.slice(1),
    responses: [
      {
        uuid: `response-${nth}`,
        statusCode,
        body: JSON.stringify(body),
        bodyType: 'INLINE',
        headers: [{ key: 'Content-Type', value: 'application/json' }],
        rules: [],
        rulesOperator: 'OR',
        disableTemplating: true,
        default: true,
      },
    ],
  }));
  const rootChildren = routes.map(({ uuid }) => ({ type: 'route', uuid }));
  return { uuid: 'bench', lastMigration: 33, name: 'bench', port: 3000, hostname: '', routes, rootChildren };
};

/**
 * The schemas of the three routes for Fastify: without references and without keywords that its compilers do not know.
 */
const routeSchemas = (contract) => {
  const follow = (value) => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== 'object' || value === null) return value;
    if (typeof value.$ref === 'string')
      return follow(
        value.$ref
          .slice(2)
          .split('/')
          .reduce((found, name) => found[name], contract),
      );
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, value]) => !(UNKNOWN.test(name) && typeof value !== 'object') && !EXAMPLES.has(name))
        .map(([name, value]) => [name, follow(value)]),
    );
  };
  const json = (holder) => follow(follow(holder).content['application/json'].schema);
  const querystring = ({ parameters }) => ({
    type: 'object',
    properties: Object.fromEntries(follow(parameters).map(({ name, schema }) => [name, schema])),
  });
  const { get, post } = contract.paths[LIST];
  const auth = contract.paths[`${LIST}/auth`].get;
  return {
    list: { querystring: querystring(get), response: { 200: json(get.responses['200']) } },
    auth: { querystring: querystring(auth), response: { 200: json(auth.responses['200']) } },
    create: { body: json(post.requestBody), response: { 201: json(post.responses['201']) } },
  };
};

const UNKNOWN = /^(?:x-.*|format|readOnly|writeOnly|deprecated)$/;
const EXAMPLES = new Set(['example', 'examples', 'x-inferred-values', 'discriminator']);
