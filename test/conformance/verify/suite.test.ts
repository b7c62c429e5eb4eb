/** Runs the suite of `ca-mock verify` against this mock over HTTP: every case passes, and notices what it is about. */
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Case } from '../../../src/conformance/verify/case.ts';
import { GENERATED } from '../../../src/conformance/verify/families.ts';
import { type Report, runSuite } from '../../../src/conformance/verify/run.ts';
import { openTarget, type Target } from '../../../src/conformance/verify/service.ts';
import { SUITE } from '../../../src/conformance/verify/suite.ts';
import { loadContract } from '../../../src/engine/contract/load.ts';
import type { OperationId } from '../../../src/service/contract.ts';
import { listeningServer } from '../../support/server.ts';
import { DATA } from './data.ts';
import { faultsOf, type Known, learn } from './faults.ts';
import { bodyOf, endTape, replay, startTape, type Taped, withBody } from './tape.ts';

const server = await listeningServer();
const tapes = new Map<Case, readonly Taped[]>();
let target: Target;
let token: string | undefined;
let report: Report;
let before: object;

const state = async (): Promise<object> => {
  const { text } = await server.control('GET', '/environments/development/state');
  return JSON.parse(text, (name, value) => (name === 'update_time' ? undefined : value));
};

beforeAll(async () => {
  before = await state();
  const { credentials } = await server.mock.environment('development');
  const options = {
    baseUrl: server.mock.url,
    ...credentials,
    ...DATA,
    write: true,
    inferred: true,
    timeout: 60,
  };
  target = await openTarget(options);
  let tape: Taped[] = [];
  startTape((taped) => {
    tape.push(taped);
    token ??= Object(taped.init.headers).authorization;
  });
  const onOutcome = ({ case: one }: { case: Case }): void => {
    tapes.set(one, tape);
    tape = [];
  };
  report = await runSuite({ ...options, onOutcome });
});
afterEach(endTape);

const withResult = (...results: readonly string[]): readonly string[] =>
  report.outcomes
    .filter(({ result }) => results.includes(result))
    .map(({ case: { name }, messages }) => `${name}: ${messages.join('; ')}`);

test('every promised and every inferred case passes against this mock', () => {
  expect(withResult('failed', 'warned')).toEqual([]);
});

test('no case is skipped when organization, user and external id are given, and each took some time', () => {
  expect(withResult('skipped')).toEqual([]);
  expect(report.outcomes.filter(({ duration }) => !(duration > 0 && duration < 60_000))).toEqual([]);
});

test('a run removes all data that it created', async () => {
  expect(await state()).toEqual(before);
});

test('every operation has cases, and each case has a unique name', () => {
  const names = SUITE.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const tested = new Set(SUITE.map(({ operationId }) => operationId));
  expect(
    loadContract<OperationId>().operations.filter(({ operationId }) => !tested.has(operationId)),
  ).toEqual([]);
});

test('a case that runs without --write changes no data', () => {
  const isChange = ({ url, init: { method = 'GET' }, status }: Taped) =>
    status < 400 && method !== 'GET' && !url.endsWith('/oauth/token');
  const wrong = SUITE.filter((one) => !one.writes && tapes.get(one)?.some(isChange));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

/** The call without what differs in each run: ids, times, tokens. */
const callText = ({ url, init: { method = 'GET', body = '', headers } }: Taped): string => {
  const { authorization, 'content-type': type } = Object(headers);
  const sent = authorization === token ? '' : `${authorization ?? 'no token'} `;
  const media = type === undefined || type === 'application/json' ? '' : ` ${type}`;
  return `${sent}${method} ${decodeURIComponent(url.slice(server.mock.url.length))} ${body}${media}`
    .replace(/conformance[a-z0-9]+x\d+/g, 'UNIQUE')
    .replace(/CONFORMANCE[A-Z0-9]+X\d+/g, 'UNIQUE IN UPPER CASE')
    .replace(/(.{1,60}?)\1{9,}/g, (all, each) => `${each}*${all.length / each.length}`)
    .replace(/x\*\d+UNIQUE/g, 'x…UNIQUE')
    .replace(/\b(ca|cap|conn)_1\d{10,}/g, '$1_…')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'TIME')
    .replace(/[\w.+-]{40,}/g, '…')
    .slice(0, 400);
};

const known: Known = new Map();

/** What every error has (behaviour R1). Each call is checked for it, whatever the case says. */
const USUAL = /^-?(code|message)$|^-?details(\[|\.0\.(?!validation))/;

/** The reply to a call, wrong in one thing after the other. */
const wrongs = function* (taped: Taped): Generator<readonly [what: string, wrong: Taped]> {
  yield ['-headers', { ...taped, headers: {} }];
  for (const { what, body } of faultsOf(bodyOf(taped), taped.status < 400 ? known : new Map()))
    if (!USUAL.test(what)) yield [what, withBody(taped, body)];
};

/** The faults in a reply that the case notices. Of a member, the loss is tried only if another value is not noticed. */
const noticedIn = async (one: Case, replies: readonly Taped[], index: number): Promise<readonly string[]> => {
  const taped = replies[index] as Taped;
  const found: string[] = [];
  const fails = async (wrong: Taped) => (await replay(one, target, replies.with(index, wrong))).isFailed;
  if (!(await fails({ ...taped, status: 418 }))) found.push('any status');
  for (const [what, wrong] of wrongs(taped))
    if (!found.includes(what.slice(1)) && (await fails(wrong))) found.push(what);
  return found;
};

/** The calls of a case with their statuses, and the faults in the replies that the case notices. */
const linesOf = async (one: Case): Promise<string> => {
  const all = tapes.get(one) ?? [];
  const { calls, isFailed } = await replay(one, target, all);
  expect({ case: one.name, isFailed }).toEqual({ case: one.name, isFailed: false });
  const own = all.slice(0, calls); // without the removal of data after the case
  const lines: string[] = [];
  for (const [index, taped] of own.entries()) {
    lines.push(`    ${[callText(taped), taped.status, ...(await noticedIn(one, own, index))].join(' ')}`);
  }
  const about = [one.operationId, one.writes ? 'writes' : 'reads', one.basis, ...one.rules];
  return [`${one.name} [${about.join(', ')}]`, ...lines].join('\n');
};

test('the cases notice each fault that they are about', async () => {
  const written = SUITE.filter((one) => !GENERATED.includes(one));
  for (const taped of written.flatMap((one) => tapes.get(one) ?? [])) learn(known, bodyOf(taped));
  const found: string[] = [];
  for (const one of written) found.push(await linesOf(one));
  expect(found.join('\n')).toMatchSnapshot();
});

/** Together these operations have fields of each kind. */
const SHOWN = ['listConnectedAccounts', 'listConnections', 'createCustomProvider', 'createMembership'];

test('the cases made from the contract send what each field allows, and what it does not', async () => {
  const found: string[] = [];
  for (const one of GENERATED) if (SHOWN.includes(one.operationId)) found.push(await linesOf(one));
  expect(found.join('\n')).toMatchSnapshot();
});
