/** The file that lists what an application relies on, and other versions of the contract, as they are read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readContract } from '../../../src/conformance/used/other-contract.ts';
import { readUsed, splitSent, type UsedFile, withReads } from '../../../src/conformance/used/used.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();
const write = (content: unknown, before = ''): string => {
  const file = join(folder, 'file.json');
  writeFileSync(file, before + JSON.stringify(content));
  return file;
};

const recordOf = (operations: UsedFile['operations']): UsedFile => ({ format: 1, api: '1', operations });
const GETS = { 200: ['connections[].key_id'] };

test('a record may begin with a byte order mark, and what is read may hold what replies had', () => {
  for (const reads of [['connections[].key_id'], ['connections[]'], ['connections'], []]) {
    const record = recordOf({ listConnections: { sends: [], gets: GETS, reads } });
    expect(readUsed(write(record, '\uFEFF'))).toEqual(record);
  }
});

test('a new record keeps what a person wrote that the application reads, and nothing else of the old one', () => {
  const old = recordOf({
    listConnections: { sends: ['include=all'], gets: GETS, reads: ['connections[].key_id'] },
    getKeys: { sends: [], gets: { 200: ['keys'] }, reads: ['keys'] },
    getOpenIdConfiguration: { sends: [], gets: { 200: ['issuer'] }, reads: [] },
    listConnectedAccounts: { sends: ['page_size'], gets: {} },
  });
  const now = recordOf({
    listConnections: { sends: [], gets: { 200: ['connections[].id'], 503: [] } },
    getOpenIdConfiguration: { sends: [], gets: { 200: ['issuer'] } },
    listConnectedAccounts: { sends: [], gets: {} },
  });
  expect(withReads(now, write(old)).operations).toEqual({
    listConnections: { ...now.operations.listConnections, reads: ['connections[].key_id'] },
    getOpenIdConfiguration: { sends: [], gets: { 200: ['issuer'] }, reads: [] },
    listConnectedAccounts: { sends: [], gets: {} },
  });
  expect(withReads(now, join(folder, 'nowhere.json'))).toBe(now);
});

test('a sent value may hold the sign that parts it from its name', () => {
  expect(splitSent('query=a=b')).toEqual({ name: 'query', value: 'a=b' });
  expect(splitSent('query=')).toEqual({ name: 'query', value: '' });
  expect(splitSent('query')).toEqual({ name: 'query', value: undefined });
});

const pathOf = async (document: object): Promise<string | undefined> =>
  (await readContract(write({ openapi: '3.1', info: {}, ...document }))).operations[0]?.path;

test.each<[string, object, string]>([
  ['no server', {}, '/connections'],
  ['the server of the operation', { get: { servers: [{ url: '/api/v1/' }] } }, '/api/v1/connections'],
  ['the server of the path', { servers: [{ url: 'https://h.test/api/v1//' }] }, '/api/v1/connections'],
  [
    'the server whose paths the mock knows',
    { servers: [{ url: '/other' }, { url: '/api/v1' }] },
    '/api/v1/connections',
  ],
  ['the first server of unknown ones', { servers: [{ url: '/a' }, { url: '/b' }] }, '/a/connections'],
])('the path of an operation in another version begins as %s says', async (_which, item, path) => {
  const get = { operationId: 'listConnections', responses: {}, ...Object(item).get };
  const paths = { '/connections': { ...item, get } };
  const isOwn = 'servers' in item || 'get' in item;
  expect(await pathOf({ paths, ...(isOwn && { servers: [{ url: '/whole' }] }) })).toBe(path);
});

test.each(['3.0', '3.0.3', '3.1', '3.1.1'])('OpenAPI %s is read', async (openapi) => {
  await expect(readContract(write({ openapi, paths: {} }))).resolves.toBeDefined();
});

test.each(['3.2.0', '3.10', '2.0', 3])('OpenAPI %s is refused', async (openapi) => {
  await expect(readContract(write({ openapi, paths: {} }))).rejects.toThrow('version 3.0 or 3.1');
});
