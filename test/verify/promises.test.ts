/** The ledger of the description's promises against the cases that cite them: each is broken, and they must fail. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type DescribedPromise, PROMISES, type PromiseId, UNTESTED } from '../../src/verify/promises.ts';
import { runSuite } from '../../src/verify/run.ts';
import { SUITE } from '../../src/verify/suite.ts';
import { RULES } from '../mutants/rules.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startAltered } from './altered.ts';
import { ACCOUNT_BREAKS } from './breaks/accounts.ts';
import type { Break } from './breaks/break.ts';
import { breakField } from './breaks/fields.ts';
import { IDENTITY_BREAKS } from './breaks/identity.ts';
import { SERVICE_BREAKS } from './breaks/service.ts';
import { breakStatus } from './breaks/statuses.ts';

jest.setTimeout(60_000); // a promise can be broken in ten ways, and each time there is a run

const CITED = new Set<string>(SUITE.flatMap(({ cases }) => cases.flatMap(({ cites }) => cites)));
const TESTED = PROMISES.filter(({ id }) => !UNTESTED.has(id));

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ scenario: 'default' });
});
afterAll(() => server.close());

test('every promise of the description is cited by a case, or says why no case can hold a server to it', () => {
  expect(TESTED.filter(({ id }) => !CITED.has(id)).map(({ id }) => id)).toEqual([]);
});

test('every citation is a promise or a rule that there is', () => {
  const known = new Set<string>([...PROMISES.map(({ id }) => id), ...RULES]);
  expect([...CITED].filter((cite) => !known.has(cite))).toEqual([]);
});

test('a promise that a case cites is not excused as well', () => {
  expect([...UNTESTED.keys()].filter((id) => CITED.has(id))).toEqual([]);
});

const BY_HAND: Partial<Record<PromiseId, readonly Break[]>> = {
  ...SERVICE_BREAKS,
  ...ACCOUNT_BREAKS,
  ...IDENTITY_BREAKS,
};

const breaksOf = (promise: DescribedPromise): readonly Break[] =>
  BY_HAND[promise.id] ?? [breakStatus(promise) ?? breakField(promise)].filter((one) => one !== undefined);

const suiteOf = (id: PromiseId) =>
  SUITE.map((area) => ({ ...area, cases: area.cases.filter(({ cites }) => cites.includes(id)) })).filter(
    ({ cases }) => cases.length > 0,
  );

/** Names of the cases that cite a promise and fail while it is broken. */
const failing = async (id: PromiseId, { alter, rewrite }: Break): Promise<readonly string[]> => {
  const altered = await startAltered(
    server.mock.url,
    (reply) => {
      alter?.(reply);
      return undefined;
    },
    rewrite,
  );
  try {
    const { outcomes } = await runSuite({
      baseUrl: altered.url,
      clientId: 'dev-client',
      clientSecret: 'dev-secret',
      organizationId: 'org_100000000000000001',
      userId: 'usr_100000000000000005',
      externalId: 'ext-barbara',
      write: true,
      inferred: true,
      suite: suiteOf(id),
    });
    return outcomes.filter(({ result }) => result === 'failed').map((outcome) => outcome.case.name);
  } finally {
    await altered.close();
  }
};

test.each(TESTED)('$id: $says; each case that cites it fails when it is broken', async (promise) => {
  const breaks = breaksOf(promise);
  const caught: (readonly string[])[] = [];
  for (const one of breaks) caught.push(await failing(promise.id, one));
  expect(breaks).not.toEqual([]);
  expect(caught).not.toContainEqual([]); // no break goes unnoticed
  const citing = suiteOf(promise.id).flatMap(({ cases }) => cases.map(({ name }) => name));
  expect([...new Set(caught.flat())].sort()).toEqual([...citing].sort());
});
