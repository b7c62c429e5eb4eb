/**
 * Behaviour N2: a wrong value is refused in the same words at every door: scenario file, HTTP, library, command line.
 * Only the place in front (file, line, column, path, flag) differs.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { createMock } from '#mock';
import { readArguments } from '../../src/cli/arguments.ts';
import { packageRoot } from '../../src/engine/contract/package-root.ts';
import { flagName, variableName } from '../../src/library/option.ts';
import { START_OPTIONS } from '../../src/library/options.ts';
import { settings } from '../../src/service/settings.ts';
import { loadScenario } from '../engine/scenario/files.ts';
import { temporaryFolder } from '../support/folder.ts';
import { told } from '../support/misspelt.ts';
import { testServer } from '../support/server.ts';

const server = testServer();
const own = await server.isolated();
const env = (await server.mock.environments()).find(({ name }) => name === own.name);
const folder = temporaryFolder();

const inFile = (form: object): Promise<string> => {
  const file = join(folder, 'doors.yaml');
  writeFileSync(file, stringify(form));
  const places = { fixturesDir: join(packageRoot(), 'fixtures'), workingDirectory: folder };
  return told(() => loadScenario(file, places));
};

const http = async (method: string, path: string, body: object, send = own.control): Promise<string> => {
  const { error } = (await send(method, path, body)).body;
  return error === undefined ? '' : `${error.message} ${error.hint}`;
};

const api = async (method: string, path: string, body: object): Promise<string> =>
  (await own.api(method, path, body)).body.message ?? '';

/** A message without what is in front of the member's name, and without the pointer to the document at its end. */
const wordsAfter = (text: string, name: string): string => {
  const [line = ''] = text.split('\n');
  const first = line.replace(/ (?:Correct .*\. )?All calls are described in \S+$/, '');
  const places = [`${name} is `, `${name}: `].map((place) => first.lastIndexOf(place));
  const start = Math.max(...places) < 0 ? first.lastIndexOf(name) : Math.max(...places);
  return start < 0
    ? `"${name}" is not in: ${text}`
    : first
        .slice(start + name.length)
        .replace(/^:? /, '')
        .replace(/ ?Nothing was changed\..*$/, '')
        .replace(/\.?$/, '.');
};

/** @param said what each door says @param name the member, or the end of its path */
const expectOneText = async (name: string, said: Record<string, Promise<string>>): Promise<void> => {
  const texts: Record<string, string> = {};
  for (const [door, text] of Object.entries(said)) texts[door] = wordsAfter(await text, name);
  const [first = ''] = Object.values(texts);
  expect(texts).toEqual(Object.fromEntries(Object.keys(texts).map((door) => [door, first])));
  expect(first).not.toBe('.');
};

const WRONG = [5, 'x', true, [], {}, -1];

const settingsDoors = (settings: object): Record<string, Promise<string>> => ({
  'scenario file': inFile({ environments: { development: { settings } } }),
  'scenario object': told(() => createMock({ scenario: { environments: { development: { settings } } } })),
  'POST /environments': http('POST', '/environments', { settings }, server.control),
  'PUT /environments/NAME': http('PUT', '/environments/doors', { settings }, server.control),
  'PATCH settings': http('PATCH', '/settings', settings),
  'PATCH state': http('PATCH', '/state', { settings }),
  'PUT state': http('PUT', '/state', { settings }),
  createEnvironment: told(() => server.mock.createEnvironment({ settings })),
  patchSettings: told(() => env?.patchSettings(settings)),
});

const USUAL = Object.entries(settings.write(settings.defaults));

test.each(USUAL)('behaviour N2: the setting %s', async (name, usual) => {
  for (const value of [...WRONG, `${usual}x`]) {
    if (name === 'rate_limit' && typeof value === 'object') continue; // its members are below
    const isRefused = (await http('PATCH', '/settings', { [name]: value })) !== '';
    if (isRefused) await expectOneText(name, settingsDoors({ [name]: value }));
  }
});

test.each<[string, object]>([
  ['zzz', { zzz: 1 }],
  ['rate_limit.per', { rate_limit: { requests: 5 } }],
  ['rate_limit.requests', { rate_limit: { requests: 0, per: '1m' } }],
  ['rate_limit.per', { rate_limit: { requests: 5, per: '0s' } }],
  ['rate_limit.per', { rate_limit: { requests: 5, per: 60 } }],
  ['rate_limit.times', { rate_limit: { requests: 5, per: '1m', times: 1 } }],
])('the names and limits of settings: %s', async (name, settings) => {
  await expectOneText(name, settingsDoors(settings));
});

test.each<[keyof typeof START_OPTIONS, string, object]>([
  ['hosted', 'aprove', { settings: { hosted: 'aprove' } }],
  ['clock', 'noon', { clock: { now: 'noon' } }],
  ['clock', '9999-01-01T00:00:00Z', { clock: { now: '9999-01-01T00:00:00Z' } }],
  ['seed', 'dice', { seed: 'dice' }],
  ['seed', '4294967296', { seed: 4294967296 }],
])('flag, variable and option %s with the value %s', async (name, text, body) => {
  const places = {
    [`${flagName(name)}`]: told(() => readArguments([`${flagName(name)}=${text}`], START_OPTIONS, {})),
    [variableName(name)]: told(() => readArguments([], START_OPTIONS, { [variableName(name)]: text })),
    [name]: told(() => createMock({ [name]: text })),
    now: http('POST', '/environments', body, server.control),
  };
  const unquoted = (words: string): string => words.replaceAll(`"${text}"`, text);
  const said = await Promise.all(
    Object.entries(places).map(async ([place, text]) =>
      unquoted(wordsAfter(await text, (await text).includes(place) ? place : name)),
    ),
  );
  expect(new Set(said).size === 1 ? said[0] : said).toMatch(/^is .*, but must be /);
});

const stubDoors = (more: object): Record<string, Promise<string>> => {
  const environments = { development: { stubs: [{ method: 'GET', path: '/tools', ...more }] } };
  return {
    'POST faults': http('POST', '/faults', { operation: 'listConnections', status: 503, ...more }),
    'addFault of the library': told(() => env?.faults.add({ status: 503, ...more } as object as never)),
    'stub in a file': inFile({ environments }),
    'stub in an object': told(() => createMock({ scenario: { environments } as object })),
    'stub in PATCH state': http('PATCH', '/state', environments.development),
  };
};

test.each<[string, object]>([
  ['status', { status: '429' }],
  ['delay_ms', { delay_ms: 'x' }],
  ['delay_ms', { delay_ms: '5' }],
  ['delay_ms', { delay_ms: -1 }],
  ['delay_ms', { delay_ms: 600_001 }],
  ['delay_ms', { delay_ms: 0.5 }],
  ['headers', { headers: 5 }],
  ['headers.a', { headers: { a: 5 } }],
  ['headers.a b', { headers: { 'a b': 'c' } }],
  ['headers.a', { headers: { a: 'b\nc' } }],
  ['headers.Content-Length', { headers: { 'Content-Length': '5' } }],
  ['match', { match: 5 }],
  ['match', { match: {} }],
  ['match.query', { match: { query: 'a=b' } }],
  ['match.query.a', { match: { query: { a: 5 } } }],
  ['match.body', { match: { body: [] } }],
])('behaviour N2: a fault and a stub: %s of %j', async (name, more) => {
  const doors = stubDoors(more);
  const said = await Promise.all(Object.values(doors));
  // A fault takes 400 to 599, a stub 200 to 599.
  const texts = said.map((text) =>
    wordsAfter(text, name).replace(/[24]00 to 599(, or a list [^.]*)?/, 'N to 599'),
  );
  expect(new Set(texts).size === 1 ? texts[0] : texts).toMatch(/^(is|must|cannot) /);
});

test.each<[string, unknown]>([
  ['clock', 5],
  ['clock', 'noon'],
  ['clock', {}],
  ['clock.mode', { mode: 'stopped' }],
  ['clock.now', { now: '9000-01-01T00:00:00Z' }],
  ['clock.now', { now: '1969-12-31T23:59:59Z' }],
  ['clock.now', { now: 5 }],
  ['clock.now', { now: 'noon' }],
  ['clock.noww', { noww: 5 }],
])('behaviour N2: the clock: %s of %j', async (name, clock) => {
  const environments = { development: {} };
  const said = {
    'scenario file': inFile({ clock, environments }),
    'environment of a file': inFile({ environments: { development: { clock } } }),
    'scenario object': told(() => createMock({ scenario: { clock, environments } as object })),
    'POST /environments': http('POST', '/environments', { clock }, server.control),
    'PUT /environments/NAME': http('PUT', '/environments/doors', { clock }, server.control),
    createEnvironment: told(() => server.mock.createEnvironment({ clock } as object)),
    ...(name === 'clock.now' && {
      'PUT clock': http('PUT', '/clock', { mode: 'frozen', ...Object(clock) }),
      setClock: told(() => env?.setClock({ mode: 'frozen', ...Object(clock) })),
    }),
  };
  await expectOneText(name.replace('clock.now', 'now'), said);
});

test.each(['a b', 'current', '-a', 'x'.repeat(64)])('the name %s of an environment', async (name) => {
  const said = await Promise.all([
    inFile({ environments: { [name]: {} } }),
    http('POST', '/environments', { name }, server.control),
    http('PUT', `/environments/${encodeURIComponent(name)}`, {}, server.control),
  ]);
  expect(new Set(said.map((text) => /must be [^.\n]*/.exec(text)?.[0])).size).toBe(1);
});

const MEMBERSHIP = '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005';
const ACCOUNTS = '/api/v1/connected_accounts';
const PAIR = { connector: 'mail', identifier: 'doors@acme.test' };

/** The member, its wrong value, what the API says of it, and rows of an environment with the value. */
type ApiRow = [string, unknown, Promise<string>, object];

const provider = (name: string, value: unknown): ApiRow => {
  const form = { display_name: 'Doors', proxy_url: 'https://x.test', auth_patterns: [{ type: 'BASIC' }] };
  const row = { ...form, [name]: value };
  return [name, value, api('POST', '/api/v1/custom-providers', row), { custom_providers: [row] }];
};
const account = (name: string, value: unknown): ApiRow => {
  const row = { ...PAIR, [name]: value };
  return [name, value, api('POST', ACCOUNTS, row), { connected_accounts: [row] }];
};
const credentials = (name: string, authorization_details: object): ApiRow => {
  const called = { ...PAIR, connected_account: { authorization_details } };
  const rows = { connected_accounts: [{ ...PAIR, authorization_details }] };
  return [name, authorization_details, api('POST', ACCOUNTS, called), rows];
};

test.each<ApiRow>([
  [
    'metadata.abc',
    7,
    api('POST', MEMBERSHIP, { metadata: { abc: 7 } }),
    { users: [{ email: 'a@b.test', memberships: [{ metadata: { abc: 7 } }] }] },
  ],
  ...[5, '!', 'x'.repeat(201)].map((value) => provider('display_name', value)),
  ...['http://x', 5].map((value) => provider('proxy_url', value)),
  ...['x', 5].map((value) => provider('auth_patterns', value)),
  ...[5, true].map((value) => provider('description', value)),
  ...[5, 'x'.repeat(101)].map((value) => account('identifier', value)),
  ...['connector', 'organization_id'].map((name) => account(name, 5)),
  credentials('oauth_token', { oauth_token: 'x' }),
  credentials('scopes', { oauth_token: { scopes: 'x' } }),
  credentials('static_auth', { static_auth: { details: { a: 'b' } } }),
])('%s of %j is refused over the API as in a scenario', async (name, _value, called, development) => {
  await expectOneText(name.split('.').at(-1) ?? '', {
    API: called,
    'scenario file': inFile({ extends: 'default', environments: { development } }),
    'PATCH state': http('PATCH', '/state', development),
  });
});
