/** `ca-mock diff` compares changed contracts with what two applications rely on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { loadContract } from '../../../src/contract/load.ts';
import { runCommand } from '../../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'diff-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const diff = (...argv: readonly string[]) => runCommand(['diff', ...argv], { cwd: folder });

const usedBy = (name: string, operations: object): string =>
  file(`${name}.json`, { format: 1, api: '1.0.0', operations });

/** The record of an application that connects accounts of its users and reads their status. */
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

/** The record of an application that lists connections and log entries, and invites members. */
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

const changed = (change: (schemas: Tree, document: Tree) => void): string => {
  const document: Tree = structuredClone(loadContract().document);
  change(document.components.schemas, document);
  return file('changed.json', document);
};

const setParameter = ({ paths, components }: Tree, path: string, name: string, schema: object): void => {
  const { parameters } = paths[path].get;
  const nth = parameters.findIndex(
    (one: Tree) => (one.name ?? components.parameters[one.$ref.split('/').at(-1)].name) === name,
  );
  parameters[nth < 0 ? parameters.length : nth] = { name, in: 'query', schema };
};

const ACCOUNTS = '/api/v1/connected_accounts';
const MEMBERSHIP = '/api/v1/memberships/organizations/{organization_id}/users/{id}';
const TEXT = { type: 'string' };

const toldTo = async (used: string, contract: string): Promise<readonly string[]> => {
  const { out } = await diff('--json', used, contract);
  return JSON.parse(out).changes.map(
    ({ effect, operation, member, words }: Record<string, string>) =>
      `${effect}: ${operation} ${member ? `${member} ` : ''}${words}`,
  );
};

const TOLD = 'is reported only for an application that uses the operation';

test(`a removed or moved operation ${TOLD}`, async () => {
  const contract = changed((_, { paths }) => {
    paths[`${ACCOUNTS}/links`] = paths[`${ACCOUNTS}/magic_link`];
    delete paths[`${ACCOUNTS}/magic_link`];
    delete paths[`${ACCOUNTS}/user/verify`];
  });
  expect(await toldTo(CONNECTING, contract)).toEqual([
    `breaks: createMagicLink moved from POST ${ACCOUNTS}/magic_link to POST ${ACCOUNTS}/links`,
    `breaks: verifyConnectedAccountUser POST ${ACCOUNTS}/user/verify was removed from the contract`,
  ]);
  expect(await toldTo(LISTING, contract)).toEqual([]);
});

test(`a changed parameter or member ${TOLD}`, async () => {
  const contract = changed((schemas, document) => {
    const { properties } = schemas.CreateMagicLinkRequest;
    delete properties.state;
    properties.user_verify_url.maxLength = 64;
    properties.purpose = TEXT;
    schemas.CreateMagicLinkRequest.required = ['purpose'];
    delete schemas.MagicLink.properties.expiry;
    schemas.ConnectedAccountSummary.properties.token_expires_at = { type: 'integer' };
    schemas.RoleReference.properties.scope = TEXT;
    schemas.RoleReference.required = ['scope'];
    const { 201: created, ...others } = document.paths[MEMBERSHIP].post.responses;
    document.paths[MEMBERSHIP].post.responses = { ...others, 202: created };
    setParameter(document, '/api/v1/logs/authentication/requests', 'page_size', TEXT);
  });
  expect(await toldTo(CONNECTING, contract)).toEqual([
    'breaks: getConnectedAccountAuth 200 connected_account.token_expires_at is read, but its type changed from string to integer',
    'breaks: createMagicLink state is sent, but was removed from the contract',
    'may break: createMagicLink user_verify_url is sent, but its limit is now tighter: maxLength 64',
    'breaks: createMagicLink purpose is now required, but is not sent',
    'breaks: createMagicLink 200 expiry is read, but was removed from the contract',
  ]);
  expect(await toldTo(LISTING, contract)).toEqual([
    'breaks: createMembership roles[].scope is now required, but is not sent',
    'breaks: createMembership 201 is no longer returned',
    'new: createMembership 202 can be returned',
    'breaks: listAuthenticationRequests page_size is sent as integer, but must now be string',
  ]);
});

test(`a value that was removed or added, a member that can now be absent or null, or a new member ${TOLD}`, async () => {
  const contract = changed((schemas, document) => {
    setParameter(document, '/api/v1/connections', 'include', { type: 'string', enum: ['disabled'] });
    setParameter(document, '/api/v1/connections', 'region', TEXT);
    const { properties } = schemas.Connection;
    properties.key_id = { type: 'string', nullable: true };
    properties.id = { type: ['string', 'null'] };
    properties.region = TEXT;
    schemas.Connection.required = ['id', 'enabled', 'type'];
    schemas.ConnectionStatus.enum.push('ARCHIVED');
  });
  expect(await toldTo(CONNECTING, contract)).toEqual([]);
  expect(await toldTo(LISTING, contract)).toEqual([
    'breaks: listConnections include=all is sent, but this value is no longer allowed',
    'new: listConnections region can be sent',
    'may break: listConnections 200 connections[].id is read, but can now be null',
    'may break: listConnections 200 connections[].key_id is read, but can now be null',
    'may break: listConnections 200 connections[].status is read, but can now be absent',
    'may break: listConnections 200 connections[].status is read, but can now be ARCHIVED',
    'new: listConnections 200 connections[].region can be read',
  ]);
});

test('an unchanged contract gives no changes and the exit code 0', async () => {
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
      '  listConnections  200 connections[].key_id is read, but was removed from the contract',
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

test('the other contract can be read from a URL', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/openapi.json' ? 200 : 404;
    response.end(JSON.stringify(loadContract().document));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number }; // the server listens on TCP, so it has a port
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

const TYPO = usedBy('typo', { listConnection: { sends: [], gets: {} } });
const WRONG = usedBy('wrong', { listConnections: { sends: 'all', gets: {} } });
const ELSEWHERE = file('r.json', { openapi: '3.0.3', paths: { '/a': { $ref: 'a.yaml' } } });
const NEAREST = /listConnection is not in the contract of this mock. Did you mean "listConnections"\?/;

test.each([
  ['a missing file', ['nowhere.json', 'openapi.yaml'], /nowhere.json cannot be read \(ENOENT\)/],
  ['a file in another format', [file('f2.json', { format: 2, operations: {} }), 'openapi.yaml'], /format 2/],
  [
    'a file that is not a record',
    [file('none.json', '[]'), 'openapi.yaml'],
    /does not say what an application relies on/,
  ],
  ['an unknown operation', [TYPO, 'openapi.yaml'], NEAREST],
  ['a text in the place of a list', [WRONG, 'openapi.yaml'], /should have a list "sends"/],
  ['a missing contract', [LISTING, 'nowhere.yaml'], /nowhere.yaml cannot be read/],
  [
    'a file that is not an OpenAPI document',
    [LISTING, file('l.yaml', '- a')],
    /not an OpenAPI document of version 3.0 or 3.1/,
  ],
  ['Swagger 2', [LISTING, file('s.json', { swagger: '2.0', paths: {} })], /not an OpenAPI document/],
  ['a contract that is not YAML', [LISTING, file('b.yaml', '{ a')], /neither YAML nor JSON/],
  [
    'a contract that refers to another file',
    [LISTING, ELSEWHERE],
    /refers to another file, a.yaml. Bundle both files into one first/,
  ],
  ['only one argument', [LISTING], /diff needs two arguments/],
] as const)('diff refuses this with a message and exit code 2: %s', async (_, argv, message) => {
  const { code, err, out } = await diff(...argv);
  expect(err).toMatch(message);
  expect([code, out]).toEqual([2, '']);
});
