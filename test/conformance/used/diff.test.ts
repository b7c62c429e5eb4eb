/** `ca-mock diff` compares changed contracts with what an application relies on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadContract } from '../../../src/contract/load.ts';
import { runCommand } from '../../support/command.ts';
import { makeFifo, temporaryFolder } from '../../support/folder.ts';
import { serveHttp } from '../../support/http-server.ts';

const folder = temporaryFolder();

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const diff = (...argv: readonly string[]) => runCommand(['diff', ...argv], { cwd: folder });

const usedBy = (name: string, operations: object): string =>
  file(`${name}.json`, { format: 1, api: '1.0.0', operations });

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

/** The record of an application of which a person wrote down what it reads. */
const READING = usedBy('reading', {
  listConnections: {
    sends: [],
    gets: { 200: ['connections[].id', 'connections[].key_id', 'connections[].status'] },
    reads: ['connections[].key_id', 'connections[].status'],
  },
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

const MEMBERSHIP = '/api/v1/memberships/organizations/{organization_id}/users/{id}';
const TEXT = { type: 'string' };

const toldTo = async (used: string, contract: string): Promise<readonly string[]> => {
  const { out } = await diff('--json', used, contract);
  return JSON.parse(out).changes.map(
    ({ effect, operation, member, words }: Record<string, string>) =>
      `${effect}: ${operation} ${member ? `${member} ` : ''}${words}`,
  );
};

test('an application hears of each change of a part that it uses, operation by operation', async () => {
  const contract = changed((schemas, document) => {
    schemas.RoleReference.properties.scope = TEXT;
    schemas.RoleReference.required = ['scope'];
    const { 201: created, ...others } = document.paths[MEMBERSHIP].post.responses;
    document.paths[MEMBERSHIP].post.responses = { ...others, 202: created };
    setParameter(document, '/api/v1/logs/authentication/requests', 'page_size', TEXT);
    setParameter(document, '/api/v1/connections', 'include', { type: 'string', enum: ['disabled'] });
    setParameter(document, '/api/v1/connections', 'region', TEXT);
    const { properties } = schemas.Connection;
    properties.key_id = { type: 'string', nullable: true };
    properties.id = { type: ['string', 'null'] };
    properties.region = TEXT;
    schemas.Connection.required = ['id', 'enabled', 'type'];
    schemas.ConnectionStatus.enum.push('ARCHIVED');
  });
  expect(await toldTo(LISTING, contract)).toEqual([
    'breaks: listConnections include=all is sent, but this value is no longer allowed',
    'new: listConnections region can be sent',
    'new: listConnections 200 connections[].region can be read',
    'may break: listConnections 200 connections[].id is returned, but can now be null',
    'may break: listConnections 200 connections[].key_id is returned, but can now be null',
    'may break: listConnections 200 connections[].status is returned, but can now be absent',
    'may break: listConnections 200 connections[].status is returned, but can now be ARCHIVED',
    'breaks: createMembership roles[].scope is now required, but is not sent',
    'breaks: createMembership 201 is no longer returned',
    'new: createMembership 202 can be returned',
    'breaks: listAuthenticationRequests page_size is sent, but must now be string instead of integer',
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
  const { code, out } = await diff(READING, contract);
  expect(code).toBe(1);
  expect(out).toBe(
    [
      'BREAKS',
      '  listConnections  200 connections[].key_id is read, but was removed from the contract',
      '',
      'MAY BREAK',
      '  listConnections  200 connections[].status is read, but can now be ARCHIVED',
      '',
      '1 operation used; breaks: 1, may break: 1, new: 0',
      '',
    ].join('\n'),
  );
  const mayBreak = changed((schemas) => schemas.ConnectionStatus.enum.push('X'));
  expect((await diff(LISTING, mayBreak)).code).toBe(0);
});

test('a member that is not read counts for nothing; without "reads", its removal may break', async () => {
  const contract = changed((schemas) => void delete schemas.Connection.properties.id);
  expect(await toldTo(READING, contract)).toEqual([]);
  expect(await toldTo(LISTING, contract)).toEqual([
    'may break: listConnections 200 connections[].id is returned, but was removed from the contract',
  ]);
  expect((await diff(LISTING, contract)).code).toBe(0);
});

test('path items by reference, and the path of a server, are read as clients would call them', async () => {
  const contract = changed((_, document) => {
    const { paths, components } = document;
    components.pathItems = { Connections: paths['/api/v1/connections'] };
    document.servers = [{ url: 'https://a.test/{stage}/v1', variables: { stage: { default: 'api' } } }];
    document.paths = Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path.replace(/^.api.v1/, ''), item]),
    );
    document.paths['/connections'] = { $ref: '#/components/pathItems/Connections' };
  });
  expect(await toldTo(LISTING, contract)).toEqual([]);
});

test('the other contract can be read from a URL', async () => {
  const { url, close } = await serveHttp((request, response) => {
    response.statusCode = request.url === '/openapi.json' ? 200 : 404;
    response.end(JSON.stringify(loadContract().document));
  });
  expect((await diff(LISTING, `${url}/openapi.json`)).code).toBe(0);
  expect(await diff(LISTING, url)).toMatchObject({
    code: 2,
    err: `${url}/ returned 404 instead of an OpenAPI document.\n`,
  });
  await close();
  expect((await diff(LISTING, url)).err).toMatch(`${url}/ cannot be reached: `);
});

test('a contract of more than 20 MiB from an address is refused, also if each of its parts is small', async () => {
  const { url, close } = await serveHttp((_, response) =>
    response.end(' '.repeat(20 * 2 ** 20 + 1)).on('error', () => {}),
  );
  expect(await diff(LISTING, url)).toMatchObject({
    code: 2,
    err: expect.stringContaining('is larger than 20 MiB'),
  });
  await close();
});

const reads = (...names: string[]) =>
  usedBy('reads', { listConnections: { sends: [], gets: { 200: ['connections[].id'] }, reads: names } });

test('a record may read a member that holds others, or of any status, and begin with a byte order mark', async () => {
  const record = {
    format: 1,
    operations: {
      listConnections: {
        sends: [],
        gets: { 200: ['connections[].id'], 503: ['message'] },
        reads: ['connections', 'message'],
      },
    },
  };
  expect((await diff(file('marked.json', `\uFEFF${JSON.stringify(record)}`), 'openapi.yaml')).code).toBe(0);
});

test.each([
  ['a missing file', 'nowhere.json', /nowhere.json cannot be read \(ENOENT\)/],
  ['a file in another format', file('f2.json', { format: 2, operations: {} }), /format 2/],
  ['a file that is not a record', file('none.json', '[]'), /does not say what an application relies on/],
  ['an unknown operation', usedBy('typo', { listConnection: {} }), /Did you mean "listConnections"\?/],
  ['a text for a list', usedBy('w', { getKeys: { sends: 'all', gets: {} } }), /should have a list "sends"/],
  ['a pipe', makeFifo(), /fifo is not a regular file/],
  [
    'a member that is read, but that no reply had',
    reads('connections[].di'),
    /Did you mean "connections\[\].id"/,
  ],
])('diff refuses this record with a message and exit code 2: %s', async (_, used, message) => {
  const { code, err, out } = await diff(used, 'openapi.yaml');
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)]);
});

const REFERENCE = { openapi: '3.0.3', paths: { '/a': { $ref: 'a.yaml' } } };
const A = { allOf: [{ $ref: '#/components/schemas/A' }] };
const CIRCLE = { openapi: '3.1.0', paths: {}, components: { schemas: { A } } };

test.each([
  ['a missing file', 'nowhere.yaml', /nowhere.yaml cannot be read/],
  ['another document', file('l.yaml', '- a'), /not an OpenAPI document of version 3.0 or 3.1/],
  ['Swagger 2', file('s.json', { swagger: '2.0', paths: {} }), /not an OpenAPI document/],
  ['a text that is not YAML', file('b.yaml', '{ a'), /neither YAML nor JSON/],
  ['a reference to another file', file('r.json', REFERENCE), /refers to another file, a.yaml. Bundle both/],
  ['a schema that is composed of itself', file('c.json', CIRCLE), /is composed of itself/],
  ['a folder', '.', /is a folder/],
  ['a file of more than 20 MiB', file('m.json', ' '.repeat(20 * 2 ** 20 + 1)), /larger than 20 MiB/],
  ['an address with a password', 'http://me:secret@127.0.0.1:1/x', /127.0.0.1:1.x cannot be reached/],
  ['nothing', undefined, /diff needs two arguments/],
])('diff refuses this contract with a message and exit code 2: %s', async (_, contract, message) => {
  const { code, err, out } = await diff(...[LISTING, contract ?? []].flat());
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)]);
  expect(err).not.toContain('secret');
});
