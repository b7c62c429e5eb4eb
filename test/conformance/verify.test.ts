/** `ca-mock verify`: the table of cases at this mock, at faulty servers, and at a server with another API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import express from 'express';
import type { Case } from '../../src/conformance/case.ts';
import { CASES } from '../../src/conformance/cases/index.ts';
import { type Report, reportJson, reportJunit, rowText, summaryText } from '../../src/conformance/report.ts';
import type { VerifyOptions } from '../../src/conformance/verify.ts';
import { loadContract } from '../../src/service/document.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { serveHttp } from '../support/http-server.ts';
import { listeningServer } from '../support/server.ts';
import { type Alter, startAltered } from './altered.ts';
import { DATA, verify } from './doors.ts';

const server = await listeningServer();
const verifyOwn = (options: Partial<VerifyOptions>) => verify({ baseUrl: server.mock.url, ...options });

interface Told {
  readonly operation: string;
  readonly result: string;
}

const throughFault = async (alter: Alter, options: Partial<VerifyOptions>) => {
  await using altered = await startAltered(server.mock.url, alter);
  return { ...(await verify({ baseUrl: altered.url, ...options })), url: altered.url };
};

test('every operation has a case, and each name of a case is unique', () => {
  const all: readonly Case[] = Object.values(CASES).flat();
  const names = all.map(({ name }) => name);
  expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
  const tested = new Set<string>(all.map(({ operationId }) => operationId));
  expect(loadContract().operations.filter(({ operationId }) => !tested.has(operationId))).toEqual([]);
});

test('without --write no case changes data, and without --inferred only promised ones run', async () => {
  const changes: string[] = [];
  const { code, out } = await throughFault(({ method, url, status }) => {
    if (status < 400 && !['GET', 'HEAD', 'OPTIONS'].includes(method) && url !== '/oauth/token')
      changes.push(url);
  }, {});
  expect([code, changes]).toEqual([0, []]);
  expect(out).toMatch(/\d+ skipped: changes data, which needs --write\n/);
  expect(out).toMatch(
    /\d+ skipped: is about what the API's description leaves open, which needs --inferred\n/,
  );
  expect(out).toMatch(/\n\d+ passed, \d+ skipped\n$/);
});

test('a fault of one operation fails its cases, with the rule, the line, what was sent, what came and what was wanted', async () => {
  const operation = ['listConnections', 'createCustomProvider'];
  const { code, out, url } = await throughFault(
    ({ method, url, body }) => {
      if (method === 'POST' && url.startsWith('/api/v1/custom-providers') && body?.provider)
        body.provider.is_custom = 'no';
    },
    { operation, write: true },
  );
  expect(code).toBe(1);
  expect(url).toContain('127.0.0.1');
  const failed =
    /^failed {2}createCustomProvider +Creating a provider returns the members [\s\S]*?(?=^\w)/m.exec(
      out,
    )?.[0];
  expect(failed?.split('\n').map((line) => line.trim())).toEqual([
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

test('a mock with another contract fails the cases that the differences touch', async () => {
  const { code, out } = await throughFault(
    (reply) => {
      if (reply.url.startsWith('/api/v1/logs')) reply.status = 404;
      if (reply.body?.connections) reply.body = { items: reply.body.connections };
    },
    { operation: ['listConnections', 'listAuthenticationRequests', 'getConnectedAccountDetails'] },
  );
  expect(code).toBe(1);
  expect(out).toMatch(/^failed {2}listConnections +In the list of connections, each connection has an id/m);
  expect(out).toMatch(/^failed {2}listAuthenticationRequests +The log returns the newest entries first/m);
  expect(out).not.toMatch(/^failed {2}getConnectedAccountDetails/m);
});

const always = await serveHttp(express().use((_request, response) => void response.json({})));
afterAll(always.close);

test('a server that answers every call with 200 and {} fails nearly all cases, by name, and ends no run', async () => {
  const all = { ...DATA, baseUrl: always.url, write: true, inferred: true };
  const told: readonly Told[] = JSON.parse((await verify({ ...all, json: true })).out).cases;
  const failed = told.filter(({ result }) => result === 'failed');
  const operations = new Set(failed.map(({ operation }) => operation));
  expect(loadContract().operations.filter(({ operationId }) => !operations.has(operationId))).toEqual([]);
  expect(failed.length).toBeGreaterThan(200);
  expect(told.filter(({ result }) => result === 'passed').length).toBeLessThan(failed.length / 10);
});

test('with --inferred, what is inferred fails promised and inferred cases', async () => {
  const operation = ['deleteCustomProvider'];
  const withoutHeader: Alter = ({ headers }) => delete headers['x-request-id'];
  expect((await throughFault(withoutHeader, { operation })).code).toBe(0);
  const { code, out } = await throughFault(withoutHeader, { operation, inferred: true });
  expect(code).toBe(1);
  expect(out).toContain('the header X-Request-Id is missing');
});

test('a case fails if the data that it created cannot be removed', async () => {
  const operation = ['createCustomProvider'];
  const { code, out } = await throughFault(
    (reply) => {
      if (reply.method === 'DELETE') reply.status = 500;
    },
    { operation, write: true },
  );
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

test('a run that is stopped says so, and ends with 1', async () => {
  const { code, out } = await verifyOwn({ signal: AbortSignal.abort() });
  expect([code, out]).toEqual([1, '  stopped before the end\nno case\n']);
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

test('the table has a line for each case that ran, and the mistake below each failed case', () => {
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
});

test('the report as JSON has each case, and as JUnit XML escapes what XML would read', () => {
  expect(reportJson(REPORT)).toMatchObject({
    totals: { passed: 1, failed: 1, skipped: 1 },
    is_stopped: true,
  });
  expect(Object(reportJson(REPORT)).cases[0]).toEqual({
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
const folder = temporaryFolder();

test('--json writes only JSON to standard output, --junit a file, and --operation chooses the cases', async () => {
  const junit = join(folder, 'report.xml');
  const chosen = ['--operation', 'getKeys', '--operation', 'issueToken'];
  const { code, out, err } = await run('--json', '--junit', junit, ...chosen);
  expect([code, err]).toEqual([0, '']);
  const operations = JSON.parse(out).cases.map((each: Told) => each.operation);
  expect(new Set(operations)).toEqual(new Set(['getKeys', 'issueToken']));
  expect(readFileSync(junit, 'utf8')).toMatch(
    /^<\?xml [^>]*>\n<testsuites><testsuite name="ca-mock verify" tests="\d+" failures="0"/,
  );
});

test.each([
  [['--connector', 'mial'], /mial is not an enabled and COMPLETED connector. Did you mean "mail"\?/],
  [['--connector', 'paused'], /paused is not an enabled and COMPLETED connector. Choose one of mail, /],
  [['--operation', 'getKey'], /--operation getKey is not an operation. Did you mean "getKeys"\?/],
  [['--user-id', 'usr_1'], /--user-id needs --organization-id as well/],
  [['--external-id', 'e'], /--external-id needs --organization-id as well/],
  [
    ['--client-secret', 'a-wrong-secret'],
    /token returned no token: status 401\. Check the address, --client-id/,
  ],
])('%j can have no effect, so it is refused', async (argv, message) => {
  const { code, out, err } = await run(...argv);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(message);
  expect(err).not.toContain('a-wrong-secret');
});

test('a JUnit file that cannot be written is reported before any call', async () => {
  const message = 'nowhere/report.xml cannot be written: its folder does not exist.';
  const { code, out, err } = await run('--junit', 'nowhere/report.xml');
  expect([code, out, err]).toEqual([1, '', expect.stringContaining(message)]);
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
