import { createServer } from 'node:http';
import { context, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CBaggagePropagator } from '@opentelemetry/core';

const { CA_MOCK_URL, CA_MOCK_ACCESS_TOKEN } = process.env;

// A traced application already has these two lines. Its instrumented HTTP client then sends the baggage itself.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CBaggagePropagator());

const callApi = async (path) => {
  const headers = { authorization: `Bearer ${CA_MOCK_ACCESS_TOKEN}` };
  propagation.inject(context.active(), headers);
  return fetch(CA_MOCK_URL + path, { headers });
};

export const app = createServer((request, response) => {
  const incoming = propagation.extract(context.active(), request.headers);
  context.with(incoming, async () => {
    const answer = await callApi('/api/v1/connections');
    response.writeHead(answer.status).end(await answer.text());
  });
});
