/** What a call in process is to the process around it: a response of the platform, and nothing that gets in the way. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import express from 'express';
import { createMock, type Mock } from '../../src/index.ts';

let mock: Mock;
beforeAll(() => {
  mock = createMock({ scenario: 'default', log: 'silent' });
});
afterAll(() => mock.close());
beforeEach(async () => (await mock.environment()).reset({ journal: true }));

const BEARER = { authorization: 'Bearer dev-token' };
const LIST = '/api/v1/connections';
const list = (init: RequestInit = {}): Promise<Response> => mock.fetch(LIST, { headers: BEARER, ...init });

test('a response is a standard Response, which can be copied, streamed and read once', async () => {
  const response = await list();
  expect(response).toBeInstanceOf(Response);
  const copy = response.clone();
  expect(await copy.json()).toEqual(JSON.parse(await response.text()));
  expect(response.bodyUsed).toBe(true);
  await expect(response.text()).rejects.toMatchObject({ name: 'TypeError' });
  expect(await new Response((await list()).body).json()).toHaveProperty('connections');
});

test('a response can have no body, and HEAD has none', async () => {
  const preflight = await list({ method: 'OPTIONS', headers: { origin: 'http://app.test' } });
  expect([preflight.status, await preflight.text()]).toEqual([204, '']);
  expect(await (await list({ method: 'HEAD' })).text()).toBe('');
});

test('a form is sent as fetch sends it', async () => {
  const body = new FormData();
  body.set('grant_type', 'client_credentials');
  expect((await mock.fetch('/oauth/token', { method: 'POST', body })).status).toBe(400);
  const [call] = await (await mock.environment()).requests();
  expect(call?.request.headers).toMatchObject({
    'content-type': expect.stringContaining('multipart/form-data'),
  });
});

test('many calls at once each get their own answer', async () => {
  const pages = await Promise.all(
    Array.from({ length: 50 }, async (_, nth) => {
      const path = `/api/v1/connected_accounts?page_size=${(nth % 5) + 1}`;
      const { connected_accounts } = JSON.parse(await (await mock.fetch(path, { headers: BEARER })).text());
      return connected_accounts.length;
    }),
  );
  expect(pages).toEqual(Array.from({ length: 50 }, (_, nth) => (nth % 5) + 1));
});

test('repeated calls do not block timers', async () => {
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, 0);
  let calls = 0;
  while (!isOver && calls < 10_000) {
    await list();
    calls += 1;
  }
  expect(isOver).toBe(true);
});

test('calls are answered in a test with fake timers', async () => {
  jest.useFakeTimers();
  try {
    expect((await list()).status).toBe(200);
  } finally {
    jest.useRealTimers();
  }
});

test('calls are answered in a test that replaces the global fetch', async () => {
  const replaced = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network here'));
  try {
    expect((await list()).status).toBe(200);
  } finally {
    replaced.mockRestore();
  }
});

test('the mock does not affect another Express app in the process', async () => {
  const app = express().get('/', (_request, response) => {
    response.json({ other: true });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  await list();
  const { port } = server.address() as AddressInfo; // it listens on TCP
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).json()).toEqual({ other: true });
  await new Promise((resolve) => server.close(resolve));
});

test("interceptors of node's HTTP client do not see calls in process", async () => {
  let seen = 0;
  const count = (): void => {
    seen += 1;
  };
  subscribe('http.client.request.start', count);
  await (await list()).text();
  unsubscribe('http.client.request.start', count);
  expect(seen).toBe(0);
});

test('a long answer waits for a slow reader', async () => {
  const large = await mock.createEnvironment({ scenario: 'directory' });
  const response = await mock.fetch(`/_mock/environments/${large.id}/state`);
  const reader = response.body?.getReader();
  let bytes = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.length;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(bytes).toBeGreaterThan(400_000);
  await large.delete();
});
