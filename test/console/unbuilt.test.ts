/** Sources without the built pages: what is missing is said, and nothing of the inside is shown. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { mountConsole } from '../../src/console/console.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-mock-unbuilt-'));
const app = express().set('strict routing', true);
mountConsole(app, folder);
const server = createServer(app);
let base = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test.each([
  '/_mock/',
  '/_mock/docs',
])('a console that is not built says at %s how to build it', async (path) => {
  const response = await fetch(base + path);
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([
    503,
    'application/json; charset=utf-8',
  ]);
  expect(JSON.parse(text).error).toEqual({
    code: 'NOT_BUILT',
    message: 'The console and the API reference are not built.',
    hint: 'Run "npm run build" in the folder of the mock and load the page again. All else works without them.',
  });
  expect(text).not.toMatch(/ at |\.ts|ca-mock-unbuilt/);
});

test('an asset that is not built is passed on', async () => {
  expect((await fetch(`${base}/_mock/assets/console.js`)).status).toBe(404);
});
