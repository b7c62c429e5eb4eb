/** Doors of a mock for the table of cases: each case that changes something gets an environment of its own. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import request from 'supertest';
import { createMock, type Mock } from '#mock';
import { type Case, changesData } from '../../src/conformance/case.ts';
import { type Door, type Request, toReply } from '../../src/conformance/request.ts';
import { runCase } from '../../src/conformance/run.ts';
import { findThings } from '../../src/conformance/things.ts';
import { runVerify, type VerifyOptions } from '../../src/conformance/verify.ts';
import { parseJson } from '../../src/engine/core/object.ts';
import { ALL_CASES } from './cases/index.ts';

export const NOW = '2026-03-01T12:00:00.000Z';
const OPTIONS = { scenario: 'default', clock: NOW, log: 'silent', validateResponses: 'on' } as const;

/** Rows of the scenario `default`, which cases name. */
const ROWS = {
  ...{ organization: 'org_100000000000000001', user: 'usr_100000000000000005', external: 'ext-barbara' },
  ...{ acme: 'org_100000000000000001', globex: 'org_100000000000000002' },
  ...{ ada: 'usr_100000000000000001', grace: 'usr_100000000000000002', linus: 'usr_100000000000000003' },
  ...{ margaret: 'usr_100000000000000004', noprofile: 'usr_100000000000000006' },
};

type Send = Door['send'];

/** The options of `ca-mock verify` for a mock with the scenario `default`. */
export const CLIENT = { clientId: 'dev-client', clientSecret: 'dev-secret', timeout: 60 };
export const DATA = { organizationId: ROWS.organization, userId: ROWS.user, externalId: ROWS.external };

/** Runs `ca-mock verify`. @returns its exit code, and what it prints */
export const verify = async (options: Pick<VerifyOptions, 'baseUrl'> & Partial<VerifyOptions>) => {
  const printed: string[] = [];
  const print = { out: (text: string) => void printed.push(text), file: () => {} };
  const code = await runVerify({ ...CLIENT, ...options }, print);
  return { code, out: printed.join('') };
};

/** Calls a mock in process. */
export const inProcess =
  (mock: Mock): Send =>
  async ({ url, ...init }) =>
    toReply(await mock.fetch(url, { ...init, redirect: 'manual' } as RequestInit));

/** Calls a mock over HTTP. */
export const byHttp = (mock: Mock): Send => {
  const server = createServer(mock.app);
  return async ({ method, url, headers, body }: Request) => {
    const { pathname, search } = new URL(url, mock.url);
    const call = request(server)
      [method.toLowerCase() as 'get'](pathname + search)
      .set(headers);
    const { status, headers: received, text } = await call.redirects(0).buffer(true).send(body);
    return { status, headers: received, body: parseJson(text) };
  };
};

/** Makes a test of every case. */
export const testCases = (openDoor: (mock: Mock) => Send): void => {
  let mock: Mock | undefined;
  let send: Send;
  let shared: Door;
  beforeAll(async () => {
    mock = createMock(OPTIONS);
    send = openDoor(mock);
    shared = await toDoor(await mock.createEnvironment(), send);
  });
  afterAll(() => mock?.close());
  for (const [noun, cases] of ALL_CASES)
    describe(noun, () => {
      for (const one of cases)
        test(titleOf(one), async () => {
          if (!changesData(one)) return check(one, shared);
          await using env = await (mock as Mock).createEnvironment();
          await check(one, await toDoor(env, send));
        });
    });
};

export const toDoor = async (
  env: Awaited<ReturnType<Mock['createEnvironment']>>,
  send: Send,
): Promise<Door> => {
  const { accessToken: token, ...client } = env.credentials;
  const door = { send, token };
  const own = { environment: env.id, control: `/_mock/environments/${env.id}`, now: NOW, run: '' };
  return { ...door, things: { ...(await findThings(door, client)), ...ROWS, ...own } };
};

export const titleOf = ({ rules, name }: Case): string =>
  rules.length > 0 ? `behaviour ${rules.join(', ')}: ${name}` : name;

export const check = async (one: Case, door: Door): Promise<void> => {
  const problems = await runCase(one, door);
  if (problems.length === 0) return;
  const message = [one.name, ...problems.map(({ text }) => text)].join('\n');
  throw Object.assign(new Error(message), { stack: `Error: ${message}\n    at table (${one.place}:1)` });
};
