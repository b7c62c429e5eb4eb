import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadControlDocument } from '../../src/control/document.ts';
import { handlers } from '../../src/control/handlers/index.ts';
import { SETTINGS_SCHEMA } from '../../src/domain/settings-form.ts';
import { type ControlServer, startControlServer } from '../support/control.ts';

let server: ControlServer;
beforeAll(async () => {
  server = await startControlServer();
});
afterAll(() => server.close());

test('every operation of the document has a handler, and every handler an operation', () => {
  const ids = loadControlDocument().operations.map(({ id }) => id);
  expect(new Set(ids)).toEqual(new Set(Object.keys(handlers)));
});

test('settings are the same here as in a scenario', () => {
  const { schemas } = loadControlDocument().document.components;
  const resolved = JSON.parse(
    JSON.stringify(schemas.Settings).replaceAll(
      '{"$ref":"#/components/schemas/TimeToLive"}',
      JSON.stringify(schemas.TimeToLive),
    ),
  );
  expect(withoutNotes(resolved)).toEqual(withoutNotes(SETTINGS_SCHEMA));
});

/** What a schema accepts, without what it says to people. */
const withoutNotes = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, member) =>
      key === 'examples' || key === 'x-expected' || (key === 'description' && typeof member === 'string')
        ? undefined
        : member,
    ),
  );

test('every call is validated: a body is refused where none is described', async () => {
  const { operations } = loadControlDocument();
  for (const { method, path, requestBody } of operations) {
    if (requestBody !== undefined || method === 'GET') continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? 'x');
    const { status, body } = await server.control(method, url, { unwanted: 1 });
    expect([method, path, status]).toEqual([method, path, 400]);
    expect(body.error.message).toContain('"unwanted"');
  }
});

const EXAMPLES: Readonly<Record<string, string>> = { action: 'expire', decision: 'deny' };
