import { expect, test } from '@jest/globals';
import { loadControlContract } from '../../src/control/document.ts';
import { handlers } from '../../src/control/handlers/index.ts';
import { SETTINGS_SCHEMA } from '../../src/domain/settings.ts';
import { testServer } from '../support/server.ts';

const server = testServer();

test('every operation of the control plane has a handler, and every handler an operation', () => {
  const ids = loadControlContract().operations.map(({ operationId }) => operationId);
  expect(new Set(ids)).toEqual(new Set(Object.keys(handlers)));
});

test('the control plane and scenarios have the same settings', () => {
  const { schemas } = loadControlContract().document.components;
  const written = JSON.stringify(schemas.Settings, (key, value) =>
    key === 'x-expected' ? undefined : value,
  );
  const { description: _words, ...schema } = JSON.parse(written);
  expect(schema).toEqual(SETTINGS_SCHEMA);
});

test('a body is refused if the document describes none', async () => {
  const { operations } = loadControlContract();
  for (const { method, path, definition } of operations) {
    if (definition.requestBody !== undefined || method === 'get') continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? 'x');
    const { status, body } = await server.control(method.toUpperCase(), url, { unwanted: 1 });
    expect([method, path, status]).toEqual([method, path, 400]);
    expect(body.error.message).toContain('unwanted');
  }
});

const EXAMPLES: Readonly<Record<string, string>> = { action: 'expire', decision: 'deny' };
