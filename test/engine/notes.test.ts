/** The engine knows no noun: a service of two operations runs on it, without a change of the engine. */
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Environments } from '../../src/engine/environments/all-environments.ts';
import { loadScenario } from '../../src/engine/scenario/load-scenario.ts';
import { ScenarioError } from '../../src/engine/scenario/source.ts';
import { createApp } from '../../src/library/app.ts';
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
  const scenario = load(SCENARIO);
  const environments = new Environments(notesService, scenario, 'http://mock.local');
  const fail = (error: unknown) => {
    throw error;
  };
  const { app } = createApp({
    environments,
    contract: notesService.contract,
    validateResponses: 'on',
    controlled: {
      environments,
      loadScenario: (from) => (typeof from === 'object' ? load(from) : scenario),
      listScenarios: () => [],
      version: '',
      uptime: () => 0,
    },
    onReplyViolation: (_request, error) => fail(error),
    onInternalError: fail,
  });
  const send = async (method: 'get' | 'post' | 'put' | 'patch', path: string, body?: object) => {
    const request = supertest(app)[method](path).set('authorization', 'Bearer t');
    const reply = await (body === undefined ? request : request.send(body));
    return { status: reply.status, body: reply.body };
  };
  const control = (method: 'get' | 'post' | 'put' | 'patch', path: string, body?: object) =>
    send(method, `/_mock/environments/home${path}`, body);
  const texts = async () =>
    (await send('get', '/notes')).body.notes.map(({ text }: { text: string }) => text);
  return { app, send, control, texts };
};

test('rows of a scenario are served, also from repeat and extends, and the clock decides what they say', async () => {
  const { send, control } = open();
  const { body } = await send('get', '/notes');
  const shown = body.notes.map((note: object) => Object.values(note).slice(1).join(' '));
  expect(shown).toEqual([
    'milk 2026-03-01T12:00:00.000Z false',
    'bread 1 2026-02-27T12:00:00.000Z true',
    'bread 2 2026-02-27T12:00:00.000Z true',
  ]);
  await control('post', '/clock/advance', { by: '2d' });
  expect((await send('get', '/notes?text=milk')).body.notes[0].is_old).toBe(true);
});

test('the contract is checked with the words of its schemas, and a call needs a token', async () => {
  const { app, send } = open();
  const refused = await send('post', '/notes', { text: 'x'.repeat(21) });
  expect(refused.status).toBe(400);
  expect(refused.body.message).toMatch(/text .*20 characters/);
  expect((await send('get', `/notes?text=${'x'.repeat(21)}`)).body.message).toMatch(/text/);
  expect((await supertest(app).get('/notes')).status).toBe(401);
  const unknown = await send('get', '/note');
  expect([unknown.status, unknown.body.message]).toEqual([
    404,
    expect.stringContaining('Did you mean GET /notes?'),
  ]);
});

test('stubs and faults answer, and journal, coverage and events tell what happened', async () => {
  const { send, control } = open();
  const stub = await send('get', '/shops/corner');
  expect(stub.body).toEqual({ name: 'corner', at: '2026-03-01T12:00:00.000Z' });
  const fault = await control('post', '/faults', { operation: 'createNote', status: 503, times: 1 });
  expect(fault.status).toBe(201);
  const misspelt = await control('post', '/faults', { operation: 'createNotes', status: 503 });
  expect(misspelt.body.error.hint).toMatch(/createNote/);
  const statuses: number[] = [];
  for (const text of ['tea', 'tea']) statuses.push((await send('post', '/notes', { text })).status);
  expect(statuses).toEqual([503, 201]);
  const { requests } = (await control('get', '/requests?operation=createNote')).body;
  expect(requests.map(({ status }: { status: number }) => status)).toEqual([503, 201]);
  const { by_operation } = (await control('get', '/coverage')).body;
  expect(by_operation.map((one: { operation: string; calls: number }) => [one.operation, one.calls])).toEqual(
    expect.arrayContaining([['createNote', 2]]),
  );
  expect((await control('get', '/events')).body.events.at(-1)).toMatchObject({ type: 'note.created' });
});

test('a snapshot and a reset bring the rows back; an export is a scenario of the same state', async () => {
  const { send, control, texts } = open();
  const before = await texts();
  await control('post', '/snapshots', { name: 'before' });
  await send('post', '/notes', { text: 'tea' });
  const exported = (await control('get', '/state')).body;
  expect(await texts()).toEqual([...before, 'tea']);
  await control('post', '/snapshots/before/restore');
  expect(await texts()).toEqual(before);
  expect((await control('put', '/state', exported)).status).toBe(200);
  expect((await control('get', '/state')).body).toEqual(exported);
  await control('post', '/reset');
  expect(await texts()).toEqual(before);
  expect((await control('patch', '/state', { notes: [{ text: 'milk', created_at: '-9d' }] })).status).toBe(
    200,
  );
  expect((await send('get', '/notes?text=milk')).body.notes[0].is_old).toBe(true);
});

test('the console lists, makes, changes and removes rows of which the service tells no view', async () => {
  const { app, control, texts } = open();
  const { kinds } = (await control('get', '/kinds')).body;
  expect(kinds.map(({ kind, label, name }: Record<string, string>) => [kind, label, name])).toEqual([
    ['clients', 'Clients', 'client_id'],
    ['notes', 'Notes', 'text'],
    ['stubs', 'Stubs', 'path'],
  ]);
  const found = (await control('get', '/rows/notes?query=bread')).body;
  expect(found.rows.map(({ title }: { title: string }) => title)).toEqual(['bread 1', 'bread 2']);
  const { id } = (await control('post', '/rows/notes', { text: 'text: tea' })).body;
  const { edit } = (await control('get', `/rows/notes/${id}`)).body;
  await supertest(app)
    .put(`/_mock/environments/home/rows/notes/${id}`)
    .send({ text: edit.text.replace('tea', 'coffee') })
    .expect(200);
  expect(await texts()).toEqual(['milk', 'bread 1', 'bread 2', 'coffee']);
  await supertest(app).delete(`/_mock/environments/home/rows/notes/${id}`).expect(200);
  expect(await texts()).not.toContain('coffee');
  expect((await control('get', '/ends')).body.coming).toEqual([]);
});

test('the message about a mistake in a row has its place and the nearest name', () => {
  const form = { environments: { home: { notes: [{ txt: 'milk' }] } } };
  expect(() => load(form)).toThrow(ScenarioError);
  expect(() => load(form)).toThrow(/environments\.home\.notes\[0\]\.txt.*"text"/s);
});
