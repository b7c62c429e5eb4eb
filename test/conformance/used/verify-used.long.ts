/** `ca-mock verify --used` checks only what an application relies on, here at a service that differs from the contract. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runVerify, type VerifyOptions } from '../../../src/conformance/verify/verify.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { listeningServer } from '../../support/server.ts';
import { type Alter, startAltered } from '../verify/altered.ts';

const server = await listeningServer();
const USED = join(temporaryFolder(), 'used.json');
const OPERATIONS = {
  listConnections: {
    sends: ['include=all'],
    gets: { 200: ['connections[].key_id', 'connections[].provider_key', 'connections[].status'] },
  },
  listAuthenticationRequests: {
    sends: ['page_size'],
    gets: { 200: ['authRequests[].timestamp', 'total_size'], 503: ['code'] },
  },
  deleteCustomProvider: { sends: [], gets: { 404: ['code', 'message'] } },
  createCustomProvider: { sends: ['display_name'], gets: { 201: ['provider.identifier'] } },
};
writeFileSync(USED, JSON.stringify({ format: 1, api: '1.0.0', operations: OPERATIONS }));

const verify = async (alter: Alter, options: Partial<VerifyOptions> = {}) => {
  const { url, close } = await startAltered(server.mock.url, alter);
  const out: string[] = [];
  const client = { clientId: 'dev-client', clientSecret: 'dev-secret' };
  const given = { baseUrl: url, ...client, used: USED, ...options };
  const code = await runVerify(given, { out: (text) => void out.push(text), file: () => {} }).finally(close);
  return { code, out: out.join('') };
};

test('this mock differs in nothing, and the report says why some members were not seen, such as a missing --write', async () => {
  const { code, out } = await verify(() => undefined);
  expect(out).toMatch(
    [
      'listConnections             members used: 3 (3 holds)',
      'createCustomProvider        members used: 1 (1 not seen)',
      '  not seen: 201 provider.identifier: a case changes data, which needs --write',
      'deleteCustomProvider        members used: 2 (2 holds)',
      'listAuthenticationRequests  members used: 3 (2 holds, 1 not seen)',
      '  not seen: 503 code: no case of the suite makes the service return it',
      '',
    ].join('\n'),
  );
  expect(code).toBe(0);
});

test('only the used operations are called, and --write lets verify see more members', async () => {
  const { code, out } = await verify(() => undefined, { write: true, json: true });
  const { cases, used } = JSON.parse(out);
  expect(new Set(cases.map(({ operation }: { operation: string }) => operation))).toEqual(
    new Set(Object.keys(OPERATIONS)),
  );
  const identifier = { operation: 'createCustomProvider', status: '201', member: 'provider.identifier' };
  expect(used).toContainEqual({ ...identifier, result: 'holds', words: '' });
  expect(code).toBe(0);
});

test('members that are missing, renamed or of another type are reported, and the exit code is 1', async () => {
  const { code, out } = await verify(({ url, status, body }) => {
    if (status === 404) delete body.code;
    for (const connection of body?.connections ?? []) {
      connection.keyId = connection.key_id;
      delete connection.key_id;
      connection.status = connection.status === 'DRAFT' ? 'NEW' : connection.status;
    }
    if (url.includes('/requests') && status === 200) body.total_size = String(body.total_size);
  });
  expect(out).toMatch(/differs: 200 connections\[\]\.key_id: is missing from all \d+ replies/);
  expect(out).toMatch('differs: 200 connections[].status: has a value that the contract does not list');
  expect(out).toMatch('differs: 200 total_size: is string, expected integer');
  expect(out).toMatch('differs: 404 code: is missing from');
  expect(out).toMatch(/listConnections +members used: 3 \(1 holds, 2 differs\)/);
  expect(code).toBe(1);
});

test('a file that cannot be read is refused with a message', async () => {
  await expect(verify(() => undefined, { used: '/nowhere/used.json' })).rejects.toThrow(
    '/nowhere/used.json cannot be read (ENOENT). Check its name.',
  );
});
