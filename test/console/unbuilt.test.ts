/** Without the built pages, the server says what is missing and shows nothing internal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { mountConsole } from '../../src/console/console.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-mock-unbuilt-'));
const app = express().set('strict routing', true);
mountConsole(app, folder, '');
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['/_mock/', '/_mock/docs'])('%s says how to build the console if it is not built', async (path) => {
  const { body, text } = await request(app)
    .get(path)
    .expect(503)
    .expect('content-type', 'application/json; charset=utf-8');
  expect(body.error).toEqual({
    code: 'NOT_BUILT',
    message: 'The console and the API reference are not built.',
    hint: 'Run "npm run build" in the folder of the mock, and reload the page. Everything else works without these pages.',
  });
  expect(text).not.toMatch(/ at |\.ts|ca-mock-unbuilt/);
});

test('an asset is 404 if it is not built', async () => {
  await request(app).get('/_mock/assets/console.js').expect(404);
});
