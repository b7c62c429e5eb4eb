/** `ca-mock diff` compares changed contracts with what two applications rely on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { runProgram } from '../../src/cli/program.ts';
import { loadContract } from '../../src/openapi/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'diff-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const diff = async (...argv: readonly string[]) => {
  const written = { out: '', err: '' };
  const process = {
    env: {},
    stdout: { write: (text: string) => (written.out += text) },
    stderr: { write: (text: string) => (written.err += text) },
    once: () => undefined,
    cwd: () => folder,
  };
  return { code: await runProgram(['diff', ...argv], process), ...written };
};

const usedBy = (name: string, operations: object): string =>
  file(`${name}.json`, { format: 1, api: '1.0.0', operations });

/** An application that connects accounts of its users, and calls with their credentials. */
const CONNECTING = usedBy('connecting', {
  createMagicLink: {
    sends: ['connector', 'identifier', 'state', 'user_verify_url'],
    gets: { 200: ['expiry', 'link'] },
  },
  verifyConnectedAccountUser: {
    sends: ['auth_request_id', 'identifier'],
    gets: { 200: ['post_user_verify_redirect_url'], 404: ['code'] },
  },
  getConnectedAccountAuth: {
    sends: ['id'],
    gets: { 200: ['connected_account.status', 'connected_account.token_expires_at'] },
  },
});

/** An application that lists connections and log entries, and invites members. */
const LISTING = usedBy('listing', {
  listConnections: {
    sends: ['include=all'],
    gets: { 200: ['connections[].id', 'connections[].key_id', 'connections[].status'] },
  },
  listAuthenticationRequests: {
    sends: ['email', 'page_size'],
    gets: { 200: ['authRequests[].timestamp', 'next_page_token'] },
  },
  createMembership: { sends: ['roles[].name'], gets: { 201: ['user.id'] } },
});

type Tree = ReturnType<typeof JSON.parse>;

/** Makes a contract with a change. */
const changed = (change: Change): string => {
  const document: Tree = structuredClone(loadContract().document);
  change(document.components.schemas, document);
  return file('changed.json', document);
};

type Change = (schemas: Tree, document: Tree) => void;

const ACCOUNTS = '/api/v1/connected_accounts';
const parameter = (document: Tree, path: string, name: string): Tree =>
  document.paths[path].get.parameters
    .map((one: Tree) => (one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one))
    .find((one: Tree) => one.name === name);

const MEMBERSHIP = '/api/v1/memberships/organizations/{organization_id}/users/{id}';

/** What the report says to the application that relies on the changed part, and the change of the contract. */
const CHANGES: Readonly<Record<string, Change>> = {
  'breaks: verifyConnectedAccountUser POST /api/v1/connected_accounts/user/verify was removed': (
    _,
    { paths },
  ) => delete paths[`${ACCOUNTS}/user/verify`],
  [`breaks: createMagicLink moved from POST ${ACCOUNTS}/magic_link to POST ${ACCOUNTS}/links`]: (
    _,
    { paths },
  ) => {
    paths[`${ACCOUNTS}/links`] = paths[`${ACCOUNTS}/magic_link`];
    delete paths[`${ACCOUNTS}/magic_link`];
  },
  'breaks: createMagicLink state is sent, but was removed': (schemas) =>
    delete schemas.CreateMagicLinkRequest.properties.state,
  'breaks: createMagicLink purpose is now required, but is not sent': (schemas) => {
    schemas.CreateMagicLinkRequest.properties.purpose = { type: 'string' };
    schemas.CreateMagicLinkRequest.required = ['purpose'];
  },
  'breaks: createMembership roles[].scope is now required, but is not sent': (schemas) => {
    schemas.RoleReference.properties.scope = { type: 'string' };
    schemas.RoleReference.required = ['scope'];
  },
  'breaks: createMagicLink 200 expiry is read, but was removed': (schemas) =>
    delete schemas.MagicLink.properties.expiry,
  'breaks: getConnectedAccountAuth 200 connected_account.token_expires_at is read as string, but is now integer':
    (schemas) => {
      schemas.ConnectedAccountSummary.properties.token_expires_at = { type: 'integer' };
    },
  'breaks: listConnections include=all is sent, but is no longer a listed value': (_, document) => {
    parameter(document, '/api/v1/connections', 'include').schema.enum = ['disabled'];
  },
  'breaks: listAuthenticationRequests page_size is sent as integer, but must now be string': (
    _,
    document,
  ) => {
    parameter(document, '/api/v1/logs/authentication/requests', 'page_size').schema = { type: 'string' };
  },
  'breaks: createMembership 201 is no longer returned; new: createMembership 202 can be returned': (
    _,
    { paths },
  ) => {
    const { responses } = paths[MEMBERSHIP].post;
    responses[202] = responses[201];
    delete responses[201];
  },
  'may break: listConnections 200 connections[].status is read, but can now be absent': (schemas) => {
    schemas.Connection.required = ['id', 'enabled', 'type'];
  },
  'may break: listConnections 200 connections[].id is read, but can now be null; may break: listConnections 200 connections[].key_id is read, but can now be null':
    (schemas) => {
      schemas.Connection.properties.key_id = { type: 'string', nullable: true };
      schemas.Connection.properties.id = { type: ['string', 'null'] };
    },
  'may break: listConnections 200 connections[].status is read, but can now be ARCHIVED': (schemas) =>
    schemas.ConnectionStatus.enum.push('ARCHIVED'),
  'may break: createMagicLink state is sent, but its limit is now tighter: maxLength 64': (schemas) => {
    schemas.CreateMagicLinkRequest.properties.state.maxLength = 64;
  },
  'new: listConnections region can be sent; new: listConnections 200 connections[].region can be read': (
    schemas,
    document,
  ) => {
    const region = { name: 'region', in: 'query', schema: { type: 'string' } };
    document.paths['/api/v1/connections'].get.parameters.push(region);
    schemas.Connection.properties.region = { type: 'string' };
  },
};

const toldTo = async (used: string, contract: string): Promise<readonly string[]> => {
  const { out } = await diff('--json', used, contract);
  return JSON.parse(out).changes.map(
    ({ effect, operation, member, words }: Record<string, string>) =>
      `${effect}: ${operation} ${member ? `${member} ` : ''}${words}`,
  );
};

test.each(
  Object.entries(CHANGES),
)('%s: only to the application that relies on it', async (sentences, change) => {
  const told = sentences.split('; ');
  const contract = changed(change);
  const isListing = (sentence: string): boolean => /listConnections|listAuth|createMembership/.test(sentence);
  expect(await toldTo(CONNECTING, contract)).toEqual(told.filter((sentence) => !isListing(sentence)));
  expect(await toldTo(LISTING, contract)).toEqual(told.filter(isListing));
});

test('the same contract has no changes: exit code 0', async () => {
  const { code, out } = await diff(LISTING, 'openapi.yaml');
  expect(out).toBe('3 operations used; breaks: 0, may break: 0, new: 0\n');
  expect(code).toBe(0);
});

test('breaking changes come first; only they make the exit code 1', async () => {
  const contract = changed((schemas) => {
    schemas.ConnectionStatus.enum.push('ARCHIVED');
    delete schemas.Connection.properties.key_id;
  });
  const { code, out } = await diff(LISTING, contract);
  expect(code).toBe(1);
  expect(out).toBe(
    [
      'BREAKS',
      '  listConnections  200 connections[].key_id is read, but was removed',
      '',
      'MAY BREAK',
      '  listConnections  200 connections[].status is read, but can now be ARCHIVED',
      '',
      '3 operations used; breaks: 1, may break: 1, new: 0',
      '',
    ].join('\n'),
  );
  const mayBreak = changed((schemas) => schemas.ConnectionStatus.enum.push('X'));
  expect((await diff(LISTING, mayBreak)).code).toBe(0);
});

test('the other contract can be read from an address', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/openapi.json' ? 200 : 404;
    response.end(JSON.stringify(loadContract().document));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number }; // it listens on TCP
  const url = `http://127.0.0.1:${port}`;
  expect((await diff(LISTING, `${url}/openapi.json`)).code).toBe(0);
  expect(await diff(LISTING, url)).toMatchObject({
    code: 2,
    err: `${url} returned 404 instead of an OpenAPI document.\n`,
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect((await diff(LISTING, url)).err).toMatch(`${url} cannot be reached: `);
});

test.each([
  ['no such file', () => ['nowhere.json', 'openapi.yaml'], /nowhere.json cannot be read \(ENOENT\)/],
  ['another format', () => [file('f2.json', { format: 2, operations: {} }), 'openapi.yaml'], /format 2/],
  [
    'no record',
    () => [file('none.json', '[]'), 'openapi.yaml'],
    /does not say what an application relies on/,
  ],
  [
    'an unknown operation',
    () => [usedBy('typo', { listConnection: { sends: [], gets: {} } }), 'openapi.yaml'],
    /operation listConnection is not in the contract of this mock. Did you mean "listConnections"\?/,
  ],
  [
    'lists that are none',
    () => [usedBy('wrong', { listConnections: { sends: 'all', gets: {} } }), 'openapi.yaml'],
    /should have a list "sends"/,
  ],
  ['no such contract', () => [LISTING, 'nowhere.yaml'], /nowhere.yaml cannot be read/],
  [
    'no OpenAPI document',
    () => [LISTING, file('list.yaml', '- a')],
    /not an OpenAPI document of version 3.0 or 3.1/,
  ],
  ['Swagger 2', () => [LISTING, file('s.json', { swagger: '2.0', paths: {} })], /not an OpenAPI document/],
  ['no YAML', () => [LISTING, file('b.yaml', '{ a')], /neither YAML nor JSON/],
  [
    'a reference to another file',
    () => [LISTING, file('r.json', { openapi: '3.0.3', paths: { '/a': { $ref: 'a.yaml' } } })],
    /refers to another file, a.yaml. Bundle both into one file first/,
  ],
] as const)('%s: a message and exit code 2', async (_, argv, message) => {
  const { code, err, out } = await diff(...argv());
  expect(err).toMatch(message);
  expect(out).toBe('');
  expect(code).toBe(2);
});

test('diff needs two arguments', async () => {
  expect(await diff(LISTING)).toMatchObject({
    code: 2,
    err: expect.stringMatching('diff needs two arguments'),
  });
});
