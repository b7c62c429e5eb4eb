/** Stubs in scenarios (behaviour X4). */

import { expect, test } from '@jest/globals';
import { instantAt } from '../../../src/core/moment.ts';
import { allRows } from '../../../src/core/table.ts';
import { exportEnvironment } from '../../../src/model/scenario/export.ts';
import { mergeState } from '../../../src/model/scenario/scenario.ts';
import { environment, load, loadFiles, packaged, problemsOf, readMark, stateOf, stateWith } from './files.ts';

const NOW = instantAt(0, 0);

test('behaviour X4: a stub needs a method and a path; its other members have defaults', () => {
  const state = stateWith(
    'stubs: [{ method: GET, path: /api/v1/tools }, { method: POST, path: "/tools/{id}", status: 201, body: [1] }]',
  );
  expect([...allRows(state.stubs)]).toEqual([
    { method: 'GET', path: '/api/v1/tools', status: 200, body: {}, headers: {}, delay_ms: 0, auth: true },
    { method: 'POST', path: '/tools/{id}', status: 201, body: [1], headers: {}, delay_ms: 0, auth: true },
  ]);
});

test.each([
  [
    'stubs: [{ method: GET, path: »/api/v1/connections }]',
    'GET /api/v1/connections is the operation listConnections',
  ],
  [
    'stubs: [{ method: DELETE, path: »"/api/v1/custom-providers/{name}" }]',
    'DELETE /api/v1/custom-providers/{name} is the operation deleteCustomProvider',
  ],
  ['stubs: [»{ path: /tools }]', 'a stub needs a method and a path'],
  ['stubs: [{ method: GET, path: »tools }]', '"tools" must be a path such as /api/v1/tools/{name}'],
  ['stubs: [{ method: »get, path: /tools }]', '"get" must be one of GET, POST, PUT, PATCH, DELETE'],
])('behaviour X4: an invalid stub, or a stub for an operation of the contract, is refused at its place: %s', (marked, problem) => {
  const { text, place } = readMark(environment(marked));
  const [first = ''] = problemsOf(() => load(text));
  expect(first).toContain(`main.yaml:${place}: `);
  expect(first).toContain(problem);
});

test('behaviour X4: a stub can answer another method on a path of the contract, and its path can be a wildcard', () => {
  const stubs = "stubs: [{ method: PUT, path: /api/v1/connections }, { method: GET, path: '/api/v1/*' }]";
  expect(stateWith(stubs).stubs.rows.size).toBe(2);
});

test('stubs are merged by method and path, changed by PATCH, and exported whole', () => {
  const stub = (more: string) => `environments: { a: { stubs: [{ method: GET, path: /tools, ${more} }] } }`;
  const files = {
    'base.yaml': stub('body: { tools: [] }'),
    'main.yaml': `extends: ./base.yaml\n${stub('status: 404')}`,
  };
  expect([...allRows(stateOf(loadFiles(files)).stubs)]).toMatchObject([{ status: 404, body: { tools: [] } }]);
  const empty = packaged('empty');
  const body = { stubs: [{ method: 'GET', path: '/tools/{id}', auth: false }] };
  const changed = mergeState(empty, body, NOW);
  expect(exportEnvironment({ ...empty, ...changed }, NOW).stubs).toEqual([
    { method: 'GET', path: '/tools/{id}', status: 200, body: {}, headers: {}, delay_ms: 0, auth: false },
  ]);
});
