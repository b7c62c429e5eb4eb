/** Runs the suite of `ca-mock verify` against a mock whose replies are altered, as if the service had faults. */
import { beforeEach, expect, test } from '@jest/globals';
import { outcomeText, reportJson, reportJunit, summaryText } from '../../../src/conformance/verify/report.ts';
import { type Outcome, type Report, type RunOptions, runSuite } from '../../../src/conformance/verify/run.ts';
import type { OperationId } from '../../../src/contract/types.ts';
import { listeningServer } from '../../support/server.ts';
import { type Alter, startAltered } from './altered.ts';
import { DATA } from './data.ts';

const server = await listeningServer();
beforeEach(async () => {
  await server.call('POST', '/_mock/environments/development/reset', { body: {} });
});

const only = (...ids: readonly OperationId[]) => ({ operations: new Set(ids) });

const verify = async (alter: Alter, options: Partial<RunOptions> = {}): Promise<Report> => {
  const { url, close } = await startAltered(server.mock.url, alter);
  const client = { clientId: 'dev-client', clientSecret: 'dev-secret' };
  return runSuite({ baseUrl: url, ...client, write: true, timeout: 60, ...options }).finally(close);
};

const find = ({ outcomes }: Report, name: string): Partial<Outcome> =>
  outcomes.find((outcome) => outcome.case.name === name) ?? {};

const skipReasons = ({ outcomes }: Report): string =>
  outcomes.flatMap(({ result, messages }) => (result === 'skipped' ? messages : [])).join();

const CONFLICT =
  'Creating a second account with the same connector and identifier answers 409 and changes nothing';
const LISTED = 'In the list of connections, each connection has an id and a key_id';

test('a promised case with a wrong status fails and names the status; an inferred case warns, and with --inferred it fails', async () => {
  const alter: Alter = (reply) => {
    if (reply.status === 409 || reply.status === 403) reply.status = 418;
  };
  const options = only('createConnectedAccount');
  const report = await verify(alter, options);
  expect(find(report, CONFLICT)).toMatchObject({ result: 'failed' });
  expect(find(report, CONFLICT).messages?.[0]).toMatch('the status is 418, expected 409: ');
  const disabled = 'Creating an account or a link for a connection that is disabled answers 403';
  expect(find(report, disabled).result).toBe('warned');
  expect(find(await verify(alter, { ...options, inferred: true }), disabled).result).toBe('failed');
});

const inEach =
  (members: object): Alter =>
  ({ body }) =>
    body?.connections?.map((connection: object) => Object.assign(connection, members));
const withoutId: Alter = ({ headers }) => delete headers['x-request-id'];

test.each<[string, string, string, Alter]>([
  ['a wrong type', 'failed', 'connections.0.enabled must be boolean', inEach({ enabled: 'yes' })],
  ['a wrong value', 'failed', 'connections.0.type must be equal to one of', inEach({ type: 'X' })],
  ['no JSON', 'failed', 'the body is empty or not JSON', ({ url }) => /^.api/.test(url) && '<html>'],
  ['a missing member', 'warned', 'connections.0 must have required property', inEach({ enabled: undefined })],
  ['a missing header', 'warned', 'the header X-Request-Id is missing', withoutId],
])('a case fails if its reply breaks a promised part of the contract, and warns if it breaks an inferred part: with %s it %s', async (_what, result, message, alter) => {
  const found = find(await verify(alter, only('listConnections')), LISTED);
  expect(found.result).toBe(result);
  expect(found.messages?.join()).toContain(
    `the 200 reply to listConnections breaks the contract: ${message}`,
  );
});

test('an error without any error_code fails; one in the details is enough', async () => {
  const strip =
    (isWhole: boolean): Alter =>
    ({ status, body }) => {
      if (status < 400 || !body?.details) return;
      delete body.error_code;
      if (isWhole) for (const detail of body.details) delete detail.error_code;
    };
  const token =
    'listConnections answers 401 without a token, and with a token that the service did not issue';
  const found = find(await verify(strip(true), only('listConnections')), token);
  expect(found.result).toBe('failed');
  expect(found.messages?.join()).toContain('neither the details nor the body has an error_code');
  expect(find(await verify(strip(false), only('listConnections')), token).result).toBe('passed');
});

test('the data of a case is removed even if the case fails halfway', async () => {
  const { outcomes } = await verify(
    (reply) => {
      if (reply.url.startsWith('/api/v1/connected_accounts/')) reply.status = 500;
    },
    only('getConnectedAccountAuth', 'updateConnectedAccount', 'createMagicLink'),
  );
  expect(outcomes.filter(({ result }) => result === 'failed').length).toBeGreaterThan(10);
  const { body } = await server.call('GET', '/api/v1/connected_accounts');
  expect(body.total_size).toBe(12);
});

test('the report names data that cannot be removed', async () => {
  const report = await verify((reply) => {
    if (reply.url.endsWith(':delete')) reply.status = 500;
  }, only('searchConnectedAccounts'));
  const search = 'A search looks for its text in identifier, connector and provider, ignoring case';
  const { result, messages } = find(report, search);
  expect(result).toBe('failed');
  expect(messages?.join()).toMatch(
    /was left behind: deleteConnectedAccount answered 500: .*@conformance[.]test/,
  );
});

test('a broken connection and a reply that is too large fail their cases, and the run continues', async () => {
  const report = await verify(
    ({ url }) => {
      if (url.includes(':search')) return 'break';
      return url.includes('/requests') ? 'x'.repeat(8 * 1024 * 1024 + 1) : undefined;
    },
    { ...only('searchConnectedAccounts', 'listAuthenticationRequests', 'listConnections'), write: false },
  );
  expect(
    find(report, 'A search leaves out the credentials of the accounts, as a list does').messages?.[0],
  ).toMatch(
    /GET http:\/\/127\.0\.0\.1:\d+\/api\/v1\/connected_accounts:search: .+ Check that the server is running/,
  );
  expect(find(report, 'The log includes entries exactly at start_time and end_time').messages?.[0]).toMatch(
    'larger than 8 MiB',
  );
  expect(find(report, LISTED).result).toBe('passed');
});

test('a run ends with an error if the token reply takes longer than the timeout', async () => {
  const environment = await server.mock.environment('development');
  await environment.faults.add({ operation: 'issueToken', delay_ms: 2_000, times: 1 });
  await expect(verify(() => undefined, { timeout: 0.2 })).rejects.toThrow('no reply within 0.2 s');
});

test('without --write a run changes no data, and the skipped cases name the flag', async () => {
  const changes: string[] = [];
  const { outcomes } = await verify(
    (reply) => {
      if (reply.status === 201) changes.push(reply.url);
    },
    { write: false },
  );
  expect(changes).toEqual([]);
  const skipped = outcomes.filter(({ case: one }) => one.writes);
  for (const { messages } of skipped) expect(messages).toEqual(['changes data, which needs --write']);
});

test('cases whose data is not given are skipped, and name the flag that gives it', async () => {
  const options = only('createMembership', 'resendInvite');
  expect(skipReasons(await verify(() => undefined, options))).toContain('--organization-id');
  const fed = await verify(() => undefined, { ...options, ...DATA });
  expect(fed.outcomes.filter(({ result }) => result !== 'passed')).toEqual([]);
});

test('cases are skipped if a person must follow their links', async () => {
  const report = await verify((reply) => {
    if (reply.url.startsWith('/magicLink')) reply.status = 200;
  }, only('verifyConnectedAccountUser'));
  expect(skipReasons(report)).toMatch('needs a person to follow a link');
});

test('behaviour R2: no report contains a credential, whatever fails', async () => {
  const report = await verify(
    (reply) => {
      if (reply.url.startsWith('/api')) reply.status = 418;
      if (reply.body?.message) reply.body.message += ` for dev-secret with ${JSON.stringify(reply.body)}`;
      const details = reply.body?.connected_account?.authorization_details;
      if (details) details.oauth_token = { access_token: [`${reply.authorization} of another`] };
    },
    only('createConnectedAccount', 'getConnectedAccountAuth', 'updateConnectedAccount'),
  ).catch((error: unknown) => error);
  for (const text of report instanceof Error ? [report.message] : allReports(report as Report))
    expect(text).not.toMatch(/dev-secret|canary-|eyJ/);
});

const allReports = (report: Report): readonly string[] => [
  JSON.stringify(reportJson(report)),
  reportJunit(report),
  report.outcomes.map(outcomeText).join('') + summaryText(report),
];

test('a token reply that is not JSON causes an error which says that there is no token', async () => {
  await expect(verify(({ url }) => (url === '/oauth/token' ? '<html>' : undefined))).rejects.toThrow(
    'oauth/token returned no token: its answer has no member "access_token"',
  );
});

test('the report says that a run was stopped', async () => {
  const stop = new AbortController();
  const report = await verify(() => undefined, { signal: stop.signal, onOutcome: () => stop.abort() });
  expect(report.outcomes).toHaveLength(1);
  expect(summaryText(report)).toMatch('stopped before the end');
});
