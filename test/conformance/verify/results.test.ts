/** What a case of the suite becomes: it fails only for what the API's description promises. */
import { expect, test } from '@jest/globals';
import { outcomeText, reportJson, reportJunit, summaryText } from '../../../src/conformance/verify/report.ts';
import { runSuite } from '../../../src/conformance/verify/run.ts';
import { runVerify } from '../../../src/conformance/verify/verify.ts';
import { listeningServer } from '../../support/server.ts';
import { startAltered } from './altered.ts';

const server = await listeningServer();

test('a reply that breaks a promise fails a promised case, but an inferred case only warns', async () => {
  await using altered = await startAltered(server.mock.url, ({ url, body }) => {
    if (body && url.startsWith('/api/v1/connections')) body.connections = 'none';
  });
  const access = { baseUrl: altered.url, clientId: 'dev-client', clientSecret: 'dev-secret', timeout: 60 };
  const { outcomes } = await runSuite({ ...access, operations: new Set(['listConnections']) });
  const listing = outcomes.filter(({ case: one }) =>
    /ignores an unknown|each connection has an id/.test(one.name),
  );
  const results = new Set(listing.map(({ case: { basis }, result }) => `${basis} ${result}`));
  expect([...results].sort()).toEqual(['inferred warned', 'promised failed']);
});

test('a promised case that finds a broken promise fails, whatever inferred problems it finds besides', async () => {
  await using altered = await startAltered(server.mock.url, ({ url, body }) => {
    if (!body || !/^\/api\/v1\/connected_accounts(?:\?|$)/.test(url)) return;
    body.connected_accounts = 'none';
    delete body.total_size;
  });
  const access = { baseUrl: altered.url, clientId: 'dev-client', clientSecret: 'dev-secret', timeout: 60 };
  const { outcomes } = await runSuite({ ...access, operations: new Set(['listConnectedAccounts']) });
  const mixed = outcomes.filter(
    ({ case: { basis }, messages }) =>
      basis === 'promised' && messages.some((text) => /total_size/.test(text)),
  );
  expect(mixed.length).toBeGreaterThan(0);
  expect(new Set(mixed.map(({ result }) => result))).toEqual(new Set(['failed']));
});

const CLIENT = { baseUrl: server.mock.url, clientId: 'dev-client', clientSecret: 'dev-secret', timeout: 60 };
const KEYS = new Set(['getKeys', 'deleteCustomProvider']);

test('a run that is stopped makes no further case, says so, and ends with 1', async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const onOutcome = (_: unknown, progress: string): void => {
    seen.push(progress);
    stop.abort();
  };
  const report = await runSuite({ ...CLIENT, operations: KEYS, signal: stop.signal, onOutcome });
  expect([report.outcomes.length, report.isStopped]).toEqual([1, true]);
  expect(seen).toEqual([expect.stringMatching(/^1 of \d+ cases$/)]);
  const end = (given: object) =>
    runVerify({ ...CLIENT, operations: new Set(['getKeys']), ...given }, { out: () => {}, file: () => {} });
  expect(await end({ signal: AbortSignal.abort() })).toBe(1);
  expect(await end({})).toBe(0);
});

test('with inferred, what an inferred rule says of a promised case fails it too', async () => {
  await using altered = await startAltered(server.mock.url, ({ headers }) => delete headers['x-request-id']);
  const results = async (inferred: boolean) => {
    const given = {
      ...CLIENT,
      baseUrl: altered.url,
      operations: new Set(['deleteCustomProvider']),
      inferred,
    };
    const { outcomes } = await runSuite(given);
    return new Set(
      outcomes
        .filter(({ result }) => result !== 'skipped')
        .map(({ case: { basis }, result }) => `${basis} ${result}`),
    );
  };
  expect(await results(false)).toEqual(new Set(['promised warned', 'inferred warned']));
  expect(await results(true)).toEqual(new Set(['promised failed', 'inferred failed']));
});

test('a run prints each case with problems as it ends, then a summary, and writes the JUnit file', async () => {
  await using altered = await startAltered(server.mock.url, (reply) => {
    if (reply.status === 401) Object.assign(reply, { status: 418, body: { message: 'No dev-secret.' } });
    if (reply.url === '/keys' && reply.status === 200) reply.body.keys = [];
  });
  const printed: string[] = [];
  const print = {
    out: (text: string) => void printed.push(text),
    file: (path: string, text: string) => void printed.push(`${path}: ${text.split('>', 1)[0]}>`),
    progress: (line: string) => void printed.push(`(${line})`),
  };
  const code = await runVerify(
    { ...CLIENT, baseUrl: altered.url, operations: KEYS, junit: 'report.xml' },
    print,
  );
  expect(printed).toEqual([
    '(1 of 7 cases, getKeys)',
    '()',
    expect.stringMatching(
      /^FAILED {3}deleteCustomProvider answers 401 .*\n {9}the status is 418, expected 401: No \*\*\*\.\n/,
    ),
    ...[2, 3, 4, 5].map((count) => `(${count} of 7 cases, deleteCustomProvider)`),
    '()',
    expect.stringMatching(/^warning {2}The signing keys .*\n {9}body\.keys is \[\], expected /),
    '(6 of 7 cases, getKeys)',
    '(7 of 7 cases, deleteCustomProvider)',
    '()',
    expect.stringContaining('\n4 passed, 1 failed, 1 warned, 1 skipped; warnings are '),
    'report.xml: <?xml version="1.0" encoding="UTF-8"?>',
  ]);
  expect(code).toBe(1);
  const quiet = { ...CLIENT, baseUrl: altered.url, operations: KEYS, json: true };
  printed.length = 0;
  expect(await runVerify(quiet, { out: print.out, file: print.file })).toBe(1);
  expect(printed).toHaveLength(1);
  expect(JSON.parse(printed.join())).toMatchObject({ base_url: altered.url, is_stopped: false });
});

test('a run that only warns ends with 0, and with 1 if what is inferred fails', async () => {
  await using altered = await startAltered(server.mock.url, ({ url, status, body }) => {
    if (url === '/keys' && status === 200) body.keys = [];
  });
  const operations = new Set(['getKeys']);
  const end = (inferred: boolean) =>
    runVerify({ ...CLIENT, baseUrl: altered.url, operations, inferred }, { out: () => {}, file: () => {} });
  expect([await end(false), await end(true)]).toEqual([0, 1]);
});

test('a case fails if its data cannot be removed or a reply lacks what its next call needs', async () => {
  await using altered = await startAltered(server.mock.url, ({ url, body }) => {
    if (url.includes('/details')) delete body.connected_account.provider;
  });
  await using stuck = await startAltered(server.mock.url, (reply) => {
    if (reply.url.endsWith(':delete')) reply.status = 500;
  });
  const operations = new Set(['searchConnectedAccounts']);
  const found = async (baseUrl: string) => {
    const { outcomes } = await runSuite({ ...CLIENT, baseUrl, write: true, operations });
    const of = outcomes.find(({ case: one }) => one.name.startsWith('A search looks for its text in'));
    return [of?.result, of?.messages];
  };
  const lacking = 'The reply has no string at connected_account.provider.';
  expect(await found(altered.url)).toEqual(['failed', expect.arrayContaining([lacking])]);
  const left =
    /^data of this case was left behind: deleteConnectedAccount answered 500: \{"body":\{"connector":"crm",/;
  expect(await found(stuck.url)).toEqual(['failed', [expect.stringMatching(left)]]);
});

test('a case that lacks data is skipped, but not if it found a problem before', async () => {
  const of = async (name: RegExp, changes: object = {}) => {
    await using altered = await startAltered(server.mock.url, ({ url, body }) => {
      if (/requests\?page_size=1$/.test(url)) Object.assign(body, changes);
    });
    const operations = new Set(['resendInvite', 'listAuthenticationRequests']);
    const { outcomes } = await runSuite({ ...CLIENT, baseUrl: altered.url, operations });
    return outcomes
      .filter((one) => name.test(one.case.name))
      .map(({ result, messages }) => [result, messages]);
  };
  const organization = 'needs an organization; set its id with --organization-id';
  expect(await of(/answers 404 for a user or an organization/)).toEqual([['skipped', [organization]]]);
  const entry = 'needs an entry in the log of authentication requests';
  expect(await of(/^Filtering the log by email/, { authRequests: [] })).toEqual([['skipped', [entry]]]);
  const entries = 'needs two entries in the log of authentication requests';
  expect(await of(/^In the log, next/, { next_page_token: '' })).toEqual([['skipped', [entries]]]);
  const problem = expect.stringContaining('breaks the contract: total_size must be integer');
  const broken = { authRequests: [], total_size: 'none' };
  expect(await of(/^Filtering the log by email/, broken)).toEqual([['warned', [problem]]]);
});

test('a case says at most 20 of its problems, each once', async () => {
  await using altered = await startAltered(server.mock.url, ({ body }) => {
    for (const connection of body?.connections ?? [])
      Object.assign(connection, { type: 'X', enabled: 'yes' });
  });
  const operations = new Set(['listConnections']);
  const { outcomes } = await runSuite({ ...CLIENT, baseUrl: altered.url, operations });
  const most = Math.max(...outcomes.map(({ messages }) => messages.length));
  expect(most).toBe(20);
  for (const { messages } of outcomes) expect(new Set(messages).size).toBe(messages.length);
});

test('behaviour R2: no report contains a credential, whatever fails', async () => {
  await using altered = await startAltered(server.mock.url, (reply) => {
    if (reply.url.startsWith('/api/v1/connected_accounts')) reply.status = 418;
    if (reply.body?.message) reply.body.message += ` for dev-secret with ${JSON.stringify(reply.body)}`;
    const details = reply.body?.connected_account?.authorization_details;
    if (details) details.oauth_token = { access_token: [`${reply.authorization} of another`] };
  });
  const operations = new Set(['getConnectedAccountAuth']);
  const report = await runSuite({ ...CLIENT, baseUrl: altered.url, write: true, operations });
  expect(report.outcomes.filter(({ result }) => result === 'failed').length).toBeGreaterThan(5);
  const texts = [reportJunit(report), report.outcomes.map(outcomeText).join('') + summaryText(report)];
  expect(JSON.stringify(reportJson(report)) + texts.join()).not.toMatch(/dev-secret|canary-|eyJ/);
});
