/** The runner against servers that are not as they should be, and against those that are no mock. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { judge, readRecording, writeRecording } from '../../src/verify/compare.ts';
import { outcomeText, reportJson, reportJunit, summaryText, verdictText } from '../../src/verify/report.ts';
import { type Outcome, type Report, type RunOptions, runSuite } from '../../src/verify/run.ts';
import { DEFAULT_DATA } from '../../src/verify/samples.ts';
import { SUITE } from '../../src/verify/suite.ts';
import { listeningServer } from '../support/server.ts';
import { type Passing, startAltered, withoutControl } from './altered.ts';

jest.setTimeout(60_000); // whole areas run here, through a second server

const server = await listeningServer();
beforeEach(async () => {
  await server.call('POST', '/_mock/environments/development/reset', { body: {} });
});

const areas = (...names: readonly string[]) => SUITE.filter(({ name }) => names.includes(name));

/** @param alter what it returns counts only if it is a text */
const verify = async (
  alter: (reply: Passing) => unknown,
  options: Partial<RunOptions> = {},
): Promise<Report> => {
  const altered = await startAltered(server.mock.url, (reply) => {
    const instead = alter(reply);
    return typeof instead === 'string' ? instead : undefined;
  });
  try {
    return await runSuite({
      baseUrl: altered.url,
      clientId: 'dev-client',
      clientSecret: 'dev-secret',
      write: true,
      ...options,
    });
  } finally {
    await altered.close();
  }
};

const find = ({ outcomes }: Report, name: string): Outcome => {
  const found = outcomes.find((outcome) => outcome.case.name === name);
  if (!found) throw new Error(`No case is called ${name}.`);
  return found;
};

const CONFLICT = 'A second create of the pair conflicts and changes nothing';

/** A server that takes a pair twice. */
const takesTwice = (reply: Passing): void => {
  if (reply.status === 409) reply.status = 201;
};

test('a promised case that gets another status fails and says which', async () => {
  const report = await verify(takesTwice, { suite: areas('accounts: create') });
  const { result, messages } = find(report, CONFLICT);
  expect(result).toBe('failed');
  expect(messages[0]).toMatch('the status should be 409, but is 201');
});

test('an inferred case that gets another status warns, and fails when inferred cases count', async () => {
  const alter = (reply: Passing): void => {
    if (reply.status === 403) reply.status = 418;
  };
  const name = 'A disabled connection takes no accounts';
  const suite = areas('accounts: create');
  expect(find(await verify(alter, { suite }), name).result).toBe('warned');
  expect(find(await verify(alter, { suite, inferred: true }), name).result).toBe('failed');
});

test('a reply that breaks what the contract promises fails; one that breaks what it infers warns', async () => {
  const suite = areas('connections');
  const name = 'Connections come in one list';
  const enabledAsText = await verify(
    (reply) => {
      for (const connection of reply.body?.connections ?? []) connection.enabled = 'yes';
    },
    { suite },
  );
  expect(find(enabledAsText, name)).toMatchObject({
    result: 'failed',
    messages: ['against the contract, listConnections 200: connections.0.enabled must be boolean'].concat(
      find(enabledAsText, name).messages.slice(1),
    ),
  });
  const withoutRequestId = await verify(
    (reply) => {
      delete reply.headers['x-request-id'];
    },
    { suite },
  );
  expect(find(withoutRequestId, name)).toMatchObject({
    result: 'warned',
    messages: ['against the contract, listConnections 200: the header X-Request-Id is missing'],
  });
});

test('what a case created is removed even when the case fails half way', async () => {
  const report = await verify(
    (reply) => {
      if (reply.url.startsWith('/api/v1/connected_accounts/')) reply.status = 500;
    },
    { suite: areas('accounts: read', 'accounts: update', 'links') },
  );
  expect(report.totals.failed).toBeGreaterThan(10);
  const { body } = await server.call('GET', '/api/v1/connected_accounts');
  expect(body.total_size).toBe(12);
});

test('what cannot be removed is named as left behind', async () => {
  const report = await verify(
    (reply) => {
      if (reply.url.endsWith(':delete')) reply.status = 500;
    },
    { suite: areas('accounts: search') },
  );
  const { result, messages } = find(report, 'The text is found in an identifier, in any case');
  expect(result).toBe('failed');
  expect(messages.join()).toMatch(/left behind, deleteConnectedAccount answered 500: .*@conformance[.]test/);
});

test('a connection that breaks fails its case with a clear message, and the run goes on', async () => {
  const report = await verify((reply) => (reply.url.includes(':search') ? 'break' : undefined), {
    suite: areas('accounts: search', 'connections'),
  });
  const { result, messages } = find(report, 'A search without a text is refused');
  expect(result).toBe('failed');
  expect(messages[0]).toMatch(
    /GET http:\/\/127\.0\.0\.1:\d+\/api\/v1\/connected_accounts:search: .+ Check that the server runs/,
  );
  expect(find(report, 'Connections come in one list').result).toBe('passed');
});

test('without --write nothing is changed, and skipped cases name the flag', async () => {
  const changes: string[] = [];
  const { outcomes } = await verify(
    (reply) => {
      if (reply.status === 201) changes.push(reply.url);
      withoutControl(reply);
    },
    { write: false },
  );
  expect(changes).toEqual([]);
  const skipped = outcomes.filter(({ case: { needs } }) => needs.includes('write'));
  for (const { messages } of skipped) expect(messages).toContain('changes data; allow it with --write');
});

test('against a server that is no mock, cases that lack data are skipped by the name of the flag that unlocks them', async () => {
  const suite = areas('memberships', 'invitations', 'verify');
  const bare = await verify(withoutControl, { suite });
  const reasons = new Set(
    bare.outcomes.filter(({ result }) => result === 'skipped').flatMap(({ messages }) => messages),
  );
  for (const flag of ['--organization-id', '--control-token']) expect([...reasons].join()).toContain(flag);
  const fed = await verify(withoutControl, { suite, ...DEFAULT_DATA });
  expect(find(fed, 'A valid invitation is sent once more and counted').result).toBe('passed');
  expect(fed.totals.passed).toBeGreaterThan(bare.totals.passed);
  expect(fed.totals.failed).toBe(0);
});

test('no credential is in any report, whatever fails', async () => {
  const report = await verify(
    (reply) => {
      if (reply.url.startsWith('/api')) reply.status = 418;
      if (reply.body?.message) reply.body.message += ` for dev-secret with ${JSON.stringify(reply.body)}`;
    },
    { suite: areas('tokens', 'accounts: create', 'accounts: read', 'verify') },
  ).catch((error: unknown) => error);
  const reports = report instanceof Error ? [report.message] : allReports(report as Report);
  for (const text of reports) expect(text).not.toMatch(/dev-secret|canary-|eyJ/);
});

const allReports = (report: Report): readonly string[] => {
  const verdict = judge(report, {});
  return [
    reportJson(report, verdict),
    reportJunit(report),
    report.outcomes.map(outcomeText).join('') + summaryText(report) + verdictText(verdict),
    writeRecording(report.outcomes),
  ];
};

test('a recording compared with the same server has no differences, with another server it names them', async () => {
  const suite = areas('accounts: create', 'connections');
  const recording = readRecording(writeRecording((await verify(() => undefined, { suite })).outcomes));
  expect(judge(await verify(() => undefined, { suite }), { recording })).toMatchObject({
    isGood: true,
    added: [],
    gone: [],
  });
  const other = await verify(
    (reply) => {
      for (const connection of reply.body?.connections ?? []) delete connection.domains;
    },
    { suite },
  );
  const { isGood, added } = judge(other, { recording });
  expect(isGood).toBe(false);
  expect(added).toContain(
    'Connections come in one list: step 1, listConnections: connections[].domains is absent here, array in the recording',
  );
});

test('with a ledger a known failure is good, a new one and one that has gone are not', async () => {
  const suite = areas('accounts: create');
  const report = await verify(takesTwice, { suite });
  const known = `${CONFLICT}: fails`;
  expect(judge(report, {}).added).toContain(known);
  expect(judge(report, { ledger: judge(report, {}).added })).toMatchObject({
    isGood: true,
    added: [],
    gone: [],
  });
  const mended = await verify(() => undefined, { suite });
  expect(judge(mended, { ledger: [known] })).toMatchObject({ isGood: false, gone: [known] });
});

test('a ledger line about a case that was skipped is neither known nor gone', async () => {
  const report = await verify(() => undefined, { suite: areas('accounts: create'), write: false });
  expect(judge(report, { ledger: [`${CONFLICT}: fails`] })).toMatchObject({ isGood: true, gone: [] });
});

test('a run that is stopped says so and is not good', async () => {
  const stop = new AbortController();
  const report = await verify(() => undefined, { signal: stop.signal, onOutcome: () => stop.abort() });
  expect(report.outcomes).toHaveLength(1);
  expect(judge(report, {}).isGood).toBe(false);
});
