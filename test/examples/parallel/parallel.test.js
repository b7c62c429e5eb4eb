import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { connectMock } from 'connected-accounts-mock/client';
import { app } from './express-app.js';

const mock = await connectMock(); // the mock that ca-mock exec started
const server = app.listen(0);
after(() => server.close());
const express = `http://127.0.0.1:${server.address().port}/connections`;

/** Starts the same back end with a tracer. It gets no header of this mock, only the trace. */
const startTraced = async (tracer) => {
  const env = { ...process.env, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };
  const program = spawn(process.execPath, ['--import', `./${tracer}.js`, 'back-end.cjs'], { env });
  after(() => program.kill());
  const [url] = await once(program.stdout, 'data');
  return String(url).trim();
};
const traced = { opentelemetry: await startTraced('opentelemetry'), sentry: await startTraced('sentry') };

const baggageOf = (env) => ({ baggage: `mock-environment=${env.name}` });
const ask = {
  express: (env) => fetch(express, { headers: baggageOf(env) }),
  opentelemetry: (env) => fetch(traced.opentelemetry, { headers: env.traceHeaders }),
  'opentelemetry by baggage': (env) => fetch(traced.opentelemetry, { headers: baggageOf(env) }),
  sentry: (env) => fetch(traced.sentry, { headers: env.traceHeaders }),
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
          const answer = await call(env);
          assert.equal(answer.status, status);
          assert.equal((await env.requests({ operation: 'listConnections' })).length, 1);
        }),
      ),
    );
  });
