/** The engine knows no noun: a service of two operations runs on it, without a change of the engine. */
import { expect, test } from '@jest/globals';
import { loadScenario } from '../../src/engine/scenario/load-scenario.ts';
import { ScenarioError } from '../../src/engine/scenario/source.ts';
import { openWith } from '../support/contract.ts';
import { send } from '../support/server.ts';
import { notesService } from './notes/service.ts';

const BASE = { environments: { home: { access_tokens: ['t'], notes: [{ id: 'note_1', text: 'milk' }] } } };
const SCENARIO = {
  extends: BASE,
  clock: '2026-03-01T12:00:00Z',
  environments: {
    home: {
      notes: [{ text: 'bread {n}', repeat: 2, created_at: '-2d' }],
      stubs: [{ method: 'GET', path: '/shops/{name}', body: { name: '{path.name}', at: '{now}' } }],
    },
  },
};

const load = (from: object) =>
  loadScenario(from, { service: notesService, fixturesDir: '.', workingDirectory: '.' });

const open = () => {
  const { app } = openWith(notesService.contract, 'on', { service: notesService, scenario: load(SCENARIO) });
  const call = (method: string, path: string, body?: object) => send(app, method, path, { body, token: 't' });
  const control = (method: string, path: string, body?: object) =>
    call(method, `/_mock/environments/home${path}`, body);
  const texts = async () =>
    (await call('GET', '/notes')).body.notes.map(({ text }: { text: string }) => text);
  return { app, call, control, texts };
};

test('rows of a scenario are served, also from repeat and extends, and the clock decides what they say', async () => {
  const { call, control } = open();
  const { body } = await call('GET', '/notes');
  const shown = body.notes.map((note: object) => Object.values(note).slice(1).join(' '));
  expect(shown).toEqual([
    'milk 2026-03-01T12:00:00.000Z false',
    'bread 1 2026-02-27T12:00:00.000Z true',
    'bread 2 2026-02-27T12:00:00.000Z true',
  ]);
  await control('POST', '/clock/advance', { by: '2d' });
  expect((await call('GET', '/notes?text=milk')).body.notes[0].is_old).toBe(true);
});

test('the contract is checked with the words of its schemas, and a call needs a token', async () => {
  const { app, call } = open();
  const refused = await call('POST', '/notes', { text: 'x'.repeat(21) });
  expect(refused.status).toBe(400);
  expect(refused.body.message).toMatch(/text .*20 characters/);
  expect((await call('GET', `/notes?text=${'x'.repeat(21)}`)).body.message).toMatch(/text/);
  expect((await send(app, 'GET', '/notes', { token: null })).status).toBe(401);
  const { status, body } = await call('GET', '/note');
  expect([status, body.message]).toEqual([404, expect.stringContaining('Did you mean GET /notes?')]);
});

test('stubs and faults answer, and journal, coverage and events tell what happened', async () => {
  const { call, control } = open();
  const stub = await call('GET', '/shops/corner');
  expect(stub.body).toEqual({ name: 'corner', at: '2026-03-01T12:00:00.000Z' });
  const fault = await control('POST', '/faults', { operation: 'createNote', status: 503, times: 1 });
  expect(fault.status).toBe(201);
  const misspelt = await control('POST', '/faults', { operation: 'createNotes', status: 503 });
  expect(misspelt.body.error.hint).toMatch(/createNote/);
  const statuses: number[] = [];
  for (const text of ['tea', 'tea']) statuses.push((await call('POST', '/notes', { text })).status);
  expect(statuses).toEqual([503, 201]);
  const { requests } = (await control('GET', '/requests?operation=createNote')).body;
  expect(requests.map(({ status }: { status: number }) => status)).toEqual([503, 201]);
  const { by_operation } = (await control('GET', '/coverage')).body;
  expect(by_operation).toContainEqual(expect.objectContaining({ operation: 'createNote', calls: 2 }));
  expect((await control('GET', '/events')).body.events.at(-1)).toMatchObject({ type: 'note.created' });
});

test('a snapshot and a reset bring the rows back; an export is a scenario of the same state', async () => {
  const { call, control, texts } = open();
  const before = await texts();
  await control('POST', '/snapshots', { name: 'before' });
  await call('POST', '/notes', { text: 'tea' });
  const exported = (await control('GET', '/state')).body;
  expect(await texts()).toEqual([...before, 'tea']);
  await control('POST', '/snapshots/before/restore');
  expect(await texts()).toEqual(before);
  expect((await control('PUT', '/state', exported)).status).toBe(200);
  expect((await control('GET', '/state')).body).toEqual(exported);
  await control('POST', '/reset');
  expect(await texts()).toEqual(before);
  await control('PATCH', '/state', { notes: [{ text: 'milk', created_at: '-9d' }] });
  expect((await call('GET', '/notes?text=milk')).body.notes[0].is_old).toBe(true);
});

test('the console lists, makes, changes and removes rows of which the service tells no view', async () => {
  const { control, texts } = open();
  const { kinds } = (await control('GET', '/kinds')).body;
  expect(kinds.map(({ kind, label, name }: Record<string, string>) => [kind, label, name])).toEqual([
    ['clients', 'Clients', 'client_id'],
    ['notes', 'Notes', 'text'],
    ['stubs', 'Stubs', 'path'],
  ]);
  const found = (await control('GET', '/rows/notes?query=bread')).body;
  expect(found.rows.map(({ title }: { title: string }) => title)).toEqual(['bread 1', 'bread 2']);
  const { id } = (await control('POST', '/rows/notes', { text: 'text: tea' })).body;
  const { edit } = (await control('GET', `/rows/notes/${id}`)).body;
  await control('PUT', `/rows/notes/${id}`, { text: edit.text.replace('tea', 'coffee') });
  expect(await texts()).toEqual(['milk', 'bread 1', 'bread 2', 'coffee']);
  await control('DELETE', `/rows/notes/${id}`);
  expect(await texts()).not.toContain('coffee');
  expect((await control('GET', '/ends')).body.coming).toEqual([]);
});

test('the message about a mistake in a row has its place and the nearest name', () => {
  const form = { environments: { home: { notes: [{ txt: 'milk' }] } } };
  expect(() => load(form)).toThrow(ScenarioError);
  expect(() => load(form)).toThrow(/environments\.home\.notes\[0\]\.txt.*"text"/s);
});
