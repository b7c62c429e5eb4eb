import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connectMock } from 'connected-accounts-mock/client';
import { app as expressApp } from './express-app.js';
import { GET } from './next-route.js';
import { app as tracedApp } from './opentelemetry-app.js';

const mock = await connectMock(); // the mock that ca-mock exec started
const listen = (app) =>
  new Promise((resolve) => {
    const server = app.listen(0, () => resolve(`http://127.0.0.1:${server.address().port}/connections`));
    after(() => server.close());
  });
const urls = { express: await listen(expressApp), opentelemetry: await listen(tracedApp) };

const ask = {
  express: (baggage) => fetch(urls.express, { headers: { baggage } }),
  opentelemetry: (baggage) => fetch(urls.opentelemetry, { headers: { baggage } }),
  next: (baggage) => GET(new Request('http://localhost/connections', { headers: { baggage } })),
};

for (const [name, call] of Object.entries(ask))
  test(`${name}: tests at the same time do not affect each other`, { concurrency: true }, async (t) => {
    // Each of these tests has an environment of its own, and all share the back end and its API client.
    const statuses = [200, 503, 429, 200, 504];
    await Promise.all(
      statuses.map((status, nth) =>
        t.test(`test ${nth} sees ${status}`, async () => {
          const env = await mock.createEnvironment();
          after(() => env.delete());
          if (status !== 200) await env.faults.add({ operation: 'listConnections', status });
          const answer = await call(`mock-environment=${env.name}`);
          assert.equal(answer.status, status);
          assert.equal((await env.requests({ operation: 'listConnections' })).length, 1);
        }),
      ),
    );
  });
