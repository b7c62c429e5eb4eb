/** `ca-mock verify`: the table of cases at this mock, at faulty servers, and at a server with another API; its reports. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import express from 'express';
import type { Case } from '../../src/conformance/case.ts';
import { type Report, reportJson, reportJunit, rowText, summaryText } from '../../src/conformance/report.ts';
import { createReplyCheck, type VerifyOptions } from '../../src/conformance/verify.ts';
import { parseJson } from '../../src/engine/core/object.ts';
import type { OperationId } from '../../src/service/contract.ts';
import { loadContract } from '../../src/service/document.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { serveHttp } from '../support/http-server.ts';
import { listeningServer } from '../support/server.ts';
import { ALL_CASES } from './cases/index.ts';
import { DATA, verify } from './doors.ts';

const server = await listeningServer();
const OPERATIONS = loadContract().operations.map(({ operationId }) => operationId);

interface Told {
  readonly operation: string;
  readonly result: string;
}

/** A reply of the mock on its way. The body is undefined if it is not JSON. */
interface Passing {
  readonly method: string;
  readonly url: string;
  readonly authorization: string;
  status: number;
  headers: Record<string, string>;
  body: ReturnType<typeof JSON.parse>;
}
/** Changes a reply in place. */
type Alter = (reply: Passing) => unknown;

const OF_CONNECTION = /^(host|connection|keep-alive|transfer-encoding|content-(length|encoding))$/;
const passed = (headers: Iterable<[string, unknown]>) =>
  Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTION.test(name))) as Record<string, string>; // no header is sent twice

/** Runs `verify` at a server in front of the mock that changes its replies. Links lead through that server too. */
const throughFault = async (alter: Alter, options: Partial<VerifyOptions>) => {
  await using altered = await serveHttp(async (request, response) => {
    const { method = 'GET', url = '/', headers: sent } = request;
    const body = sent['content-type'] ? Buffer.concat(await request.toArray()) : null;
    const headers = passed(Object.entries(sent));
    const came = await fetch(server.mock.url + url, { method, headers, redirect: 'manual', body });
    const text = (await came.text()).replaceAll(server.mock.url, `http://${sent.host}`);
    const { authorization = '' } = sent;
    const answered = { status: came.status, headers: passed(came.headers), body: parseJson(text) };
    const reply = { method, url, authorization, ...answered };
    alter(reply);
    response.writeHead(reply.status, reply.headers).end(JSON.stringify(reply.body));
  });
  return await verify({ baseUrl: altered.url, ...options });
};

test('every operation has a case, and each name of a case is unique', () => {
  const all = ALL_CASES.flatMap(([, cases]) => cases);
  const names = all.map(({ name }) => name);
  expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
  expect(new Set(all.map(({ operationId }) => operationId))).toEqual(new Set(OPERATIONS));
});

test('without --write no case changes data, and without --inferred only promised ones run', async () => {
  const changes: string[] = [];
  const { code, out } = await throughFault(({ method, url, status }) => {
    if (status < 400 && !['GET', 'HEAD', 'OPTIONS'].includes(method) && url !== '/oauth/token')
      changes.push(url);
  }, {});
  expect([code, changes]).toEqual([0, []]);
  for (const why of [
    'changes data, which needs --write',
    "is about what the API's description leaves open, which needs --inferred",
  ])
    expect(out).toMatch(new RegExp(`^  \\d+ skipped: ${why}$`, 'm'));
  expect(out).toMatch(/\n\d+ passed, \d+ skipped\n$/);
});

test('a fault of one operation fails its cases, with the rule, the line, what was sent, what came and what was wanted', async () => {
  const { code, out } = await throughFault(
    ({ method, body }) => {
      if (method === 'POST' && body?.provider) body.provider.is_custom = 'no';
    },
    { operation: ['listConnections', 'createCustomProvider'], write: true },
  );
  expect(code).toBe(1);
  const failed =
    /^failed {2}createCustomProvider +Creating a provider returns the members [\s\S]*?(?=^\w)/m.exec(out);
  expect(failed?.[0].split('\n').map((line) => line.trim())).toEqual([
    expect.stringContaining('Creating a provider returns the members'),
    expect.stringMatching(/^promised, rule P1, .*cases\/providers.ts:\d+$/),
    expect.stringMatching(
      /^step 1 of 1: POST \/api\/v1\/custom-providers \{"display_name":"Provider conformance/,
    ),
    expect.stringMatching(/^came: 201 \{"provider":/),
    'wanted: body.provider.is_custom is "no", expected true',
    expect.stringContaining(
      'the 201 reply to createCustomProvider breaks the contract: provider.is_custom must be boolean',
    ),
    '',
  ]);
  expect(out).not.toMatch(/^failed {2}listConnections/m);
});

const always = await serveHttp(express().use((_request, response) => void response.json({})));
afterAll(always.close);

test('a server that answers every call with 200 and {} fails nearly all cases, by name, and ends no run', async () => {
  const all = { ...DATA, baseUrl: always.url, write: true, inferred: true, json: true };
  const told: readonly Told[] = JSON.parse((await verify(all)).out).cases;
  const failed = told.filter(({ result }) => result === 'failed');
  expect(new Set(failed.map(({ operation }) => operation))).toEqual(new Set(OPERATIONS));
  expect(failed.length).toBeGreaterThan(200);
  expect(told.filter(({ result }) => result === 'passed').length).toBeLessThan(failed.length / 10);
});

test('with --inferred, what is inferred fails promised and inferred cases', async () => {
  const operation = ['deleteCustomProvider'];
  const withoutHeader: Alter = ({ headers }) => delete headers['x-request-id'];
  expect((await throughFault(withoutHeader, { operation })).code).toBe(0);
  const { code, out } = await throughFault(withoutHeader, { operation, inferred: true });
  expect([code, out]).toEqual([1, expect.stringContaining('the header X-Request-Id is missing')]);
});

test('a case fails if the data that it created cannot be removed', async () => {
  const breaks: Alter = (reply) => {
    if (reply.method === 'DELETE') reply.status = 500;
  };
  const { code, out } = await throughFault(breaks, { operation: ['createCustomProvider'], write: true });
  expect(code).toBe(1);
  expect(out).toMatch(/left behind: DELETE \/api\/v1\/custom-providers\/PROVIDER_CONFORMANCE.* answered 500/);
});

test('behaviour R2: no report contains a credential, whatever fails', async () => {
  const alter: Alter = (reply) => {
    if (reply.url.startsWith('/api/v1/connected_accounts')) reply.status = 418;
    if (reply.body?.message) reply.body.message += ` for dev-secret with ${reply.authorization}`;
    const details = reply.body?.connected_account?.authorization_details;
    if (details) details.oauth_token = { access_token: [`${reply.authorization} of another`] };
  };
  const { code, out } = await throughFault(alter, { write: true, inferred: true });
  expect(code).toBe(1);
  expect(out.match(/^failed/gm)?.length).toBeGreaterThan(20);
  expect(out).not.toMatch(/dev-secret|canary-(?!user)|eyJ[\w-]{20}/);
});

test('a call that is answered with 429 is sent three times at most, and once if it must wait longer than 30 s', async () => {
  const sent: string[] = [];
  await using busy = await serveHttp(({ url = '' }, response) => {
    sent.push(url);
    const isToken = url === '/oauth/token';
    response.writeHead(isToken ? 200 : 429, { 'retry-after': url === '/keys' ? '0.1' : '31' });
    response.end(isToken ? '{"access_token":"t"}' : '');
  });
  await verify({ baseUrl: busy.url, operation: ['getKeys'], inferred: true });
  expect(sent.filter((url) => url === '/keys').length % 3).toBe(0);
  expect(sent.filter((url) => url.startsWith('/api/v1/connections')).length).toBe(1);
});

const NEEDS = 'changes data, which needs --write';
const PLACE = 'src/conformance/cases/connections.ts:9';
const one: Case = {
  ...{ name: 'Says "a" & <b>', operationId: 'listConnections', basis: 'promised', rules: ['C1'], steps: [] },
  place: PLACE,
};
const REPORT: Report = {
  baseUrl: 'http://h',
  isStopped: true,
  outcomes: [
    { case: { ...one, name: 'Lists' }, result: 'passed', messages: [], duration: 1_499.6 },
    { case: one, result: 'failed', messages: ['one\u0007', 'two'], duration: 1_500 },
    { case: { ...one, operationId: 'createMembership' }, result: 'skipped', messages: [NEEDS], duration: 0 },
  ],
};

test('a report has a line for each case that ran, and the mistake below each failed case; JUnit XML escapes what XML would read', () => {
  expect(REPORT.outcomes.map(rowText)).toEqual([
    expect.stringMatching(/^passed {2}listConnections +Lists\n$/),
    expect.stringMatching(
      /^failed {2}listConnections +Says "a" & <b>\n +promised, rule C1, src.*:9\n +one.\n +two\n$/,
    ),
    '',
  ]);
  expect(summaryText(REPORT)).toMatch(
    /^The rules stand .*\n {2}1 skipped: changes data, which needs --write\n {2}stopped before the end\n1 passed, 1 failed, 1 skipped\n$/,
  );
  const json = Object(reportJson(REPORT));
  expect(json).toMatchObject({ totals: { passed: 1, failed: 1, skipped: 1 }, is_stopped: true });
  expect(json.cases[0]).toEqual({
    ...{ operation: 'listConnections', case: 'Lists', result: 'passed', basis: 'promised', rules: ['C1'] },
    ...{ place: PLACE, messages: [], duration_ms: 1_500 },
  });
  expect(reportJunit(REPORT)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="ca-mock verify" tests="3" failures="1" skipped="1" time="3.000">
  <testcase classname="listConnections" name="Lists" time="1.500"></testcase>
  <testcase classname="listConnections" name="Says &#34;a&#34; &#38; &#60;b&#62;" time="1.500"><failure type="promised, rule C1" message="one ">${PLACE}\none \ntwo</failure></testcase>
  <testcase classname="createMembership" name="Says &#34;a&#34; &#38; &#60;b&#62;" time="0.000"><skipped message="${NEEDS}"></skipped></testcase>
</testsuite></testsuites>
`);
});

const env = { CA_MOCK_CLIENT_SECRET: 'dev-secret' };
const atCli = await listeningServer(); // connections that were idle for long may be reset
const FLAGS = ['--base-url', atCli.mock.url, '--client-id', 'dev-client'];
const run = (...argv: readonly string[]) => runCommand(['verify', ...FLAGS, ...argv], { env });

test('--json writes only JSON to standard output, --junit a file, and --operation chooses the cases', async () => {
  const junit = join(temporaryFolder(), 'report.xml');
  const { code, out, err } = await run(
    '--json',
    '--junit',
    junit,
    '--operation',
    'getKeys',
    '--operation',
    'issueToken',
  );
  expect([code, err]).toEqual([0, '']);
  const operations = JSON.parse(out).cases.map((each: Told) => each.operation);
  expect(new Set(operations)).toEqual(new Set(['getKeys', 'issueToken']));
  expect(readFileSync(junit, 'utf8')).toMatch(
    /^<\?xml [^>]*>\n<testsuites><testsuite name="ca-mock verify" tests="\d+" failures="0"/,
  );
});

test.each([
  [['--operation', 'getKey'], 2, /--operation getKey is not an operation. Did you mean "getKeys"\?/],
  [['--user-id', 'usr_1'], 2, /--user-id needs --organization-id as well/],
  [['--external-id', 'e'], 2, /--external-id needs --organization-id as well/],
  [
    ['--client-secret', 'a-wrong-secret'],
    2,
    /token returned no token: status 401\. Check the address, --client-id/,
  ],
  [
    ['--junit', 'nowhere/report.xml'],
    1,
    /nowhere\/report.xml cannot be written: its folder does not exist\./,
  ],
])('%j can have no effect, so it is refused before any case runs', async (argv, exit, message) => {
  const { code, out, err } = await run(...argv);
  expect([code, out, err]).toEqual([exit, '', expect.stringMatching(message)]);
  expect(err).not.toContain('a-wrong-secret');
});

test('if required flags are missing, the message names all of them, and only them', async () => {
  const { code, err } = await runCommand(['verify', '--client-id', 'a']);
  expect([code, err]).toEqual([2, expect.stringContaining('verify needs --base-url and --client-secret.')]);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the run before its next case', async (signal) => {
  const once = (each: string, listener: () => void): void => (each === signal ? listener() : undefined);
  const { code, out } = await runCommand(['verify', ...FLAGS], { env, once });
  expect([code, out]).toEqual([1, '  stopped before the end\nno case\n']);
});

// What breaks a promise of the API's description, and what only an inferred rule.

const check = createReplyCheck(loadContract());
const HEADERS = { 'x-request-id': 'req_1' };
const told = (
  operation: OperationId,
  status: number,
  body: unknown,
  headers: Record<string, string> = HEADERS,
) => check(operation, { status, headers, body }).map(({ basis, text }) => `${basis}: ${text}`);

const CONNECTION = {
  ...{ id: 'conn_100000000000000001', key_id: 'mail', type: 'OAUTH', status: 'COMPLETED', enabled: true },
  ...{ provider: 'GOOGLE', provider_key: 'mail', organization_id: null, domains: [] },
};

test.each<[string, object, RegExp]>([
  ['a wrong type', { enabled: 'yes' }, /^promised: connections\.0\.enabled must be boolean$/],
  [
    'a wrong value',
    { type: 'X' },
    /^promised: connections\.0\.type must be equal to one of .*\(.*OAUTH.*\)$/,
  ],
  [
    'a missing member',
    { enabled: undefined },
    /^inferred: connections\.0 must have required property 'enabled'$/,
  ],
])('%s in a list', (_what, members, words) => {
  const connection = JSON.parse(JSON.stringify({ ...CONNECTION, ...members }));
  const sound = told('listConnections', 200, { connections: [CONNECTION] });
  const found = told('listConnections', 200, { connections: [connection] });
  expect(found.filter((each) => !sound.includes(each))).toEqual([expect.stringMatching(words)]);
});

const ERROR = { code: 5, message: 'No.', details: [{ error_code: 'NOT_FOUND' }] };
const NO_TYPE = "inferred: details.0 must have required property '@type'";
const NO_TOKENS = ['next_page_token', 'prev_page_token'].map(
  (name) => `inferred: the body must have required property '${name}'`,
);

test.each<[string, string[], OperationId, number, unknown, Record<string, string>?]>([
  ['without JSON', ['promised: the body is empty or not JSON'], 'listConnections', 200, undefined],
  [
    'without a header',
    ['inferred: the header X-Request-Id is missing'],
    'listConnections',
    200,
    { connections: [] },
    {},
  ],
  ['that is a number', ['promised: the body must be object'], 'listConnections', 200, 5],
  ['with parameters in its path', ['promised: user must be object'], 'createMembership', 201, { user: 5 }],
  [
    'with a colon in its path, wrong in several members',
    [...NO_TOKENS, 'promised: connected_accounts must be array', 'promised: total_size must be integer'],
    ...(['searchConnectedAccounts', 200, { connected_accounts: 'none', total_size: 'none' }] as const),
  ],
  [
    'with a status that the contract does not list',
    ['promised: code must be integer', NO_TYPE],
    ...(['listConnections', 418, { ...ERROR, code: 'five' }] as const),
  ],
  [
    'whose error has a number as its details',
    ['promised: details must be array'],
    ...(['deleteMembership', 404, { ...ERROR, details: 5, error_code: 'A' }] as const),
  ],
])('each mistake is named in a reply %s', (_what, problems, ...reply) => {
  expect(told(...reply)).toEqual(problems);
});

test('an inferred limit of a member is inferred, but its type is promised', () => {
  const ofId = (id: unknown) =>
    told('listConnectedAccounts', 200, { connected_accounts: [{ id }] }).filter((one) =>
      / \S+\.id /.test(one),
    );
  expect(ofId('other_1')).toEqual(['inferred: connected_accounts.0.id must match pattern "^ca_"']);
  expect(ofId(5)).toEqual(['promised: connected_accounts.0.id must be string']);
});
