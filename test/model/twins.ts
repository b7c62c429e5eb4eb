/**
 * Two mocks that are told the same: every answer must be the same, byte by byte (same seed, same bytes), and hold no
 * string that it may not. Everything goes through `mock.fetch`, API and control plane alike.
 */
import { isDeepStrictEqual } from 'node:util';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { BEARER, CREDENTIAL, FORBIDDEN, SCENARIO } from './scenario.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string;
  // Read member by member where it is compared; anything unexpected fails there.
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Sent as it is, instead of `body` as JSON. */
  readonly raw?: { readonly type: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** A bearer; null for none. */
  readonly token?: string | null;
  /** The answer may hold credentials that callers brought or the server made. */
  readonly mayShowCredentials?: boolean;
}

export interface Twins {
  call(call: Call): Promise<Answer>;
  /** A call of the control plane about the environment. */
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Credentials that came into being: nothing that is recorded may hold them. */
  readonly secrets: Set<string>;
  /** Searches journal, HAR, events, outbox and log. @throws Error that names what leaked and where */
  requireNoLeak(): Promise<void>;
  close(): Promise<void>;
}

export const CONTROL = '/_mock/environments/model';

export const startTwins = (): Twins => {
  const log: string[] = [];
  const start = (): Mock =>
    createMock({
      // The mock reads it as it reads a file, and refuses what is wrong.
      scenario: SCENARIO as MockOptions['scenario'],
      validateResponses: 'on',
      log: (entry) => log.push(JSON.stringify(entry)),
    });
  const mocks = [start(), start()] as const;
  const secrets = new Set<string>();
  const call = async (given: Call): Promise<Answer> => {
    const [left, right] = await Promise.all(mocks.map((mock) => send(mock, given)));
    if (!left || !right) throw new Error('Two mocks give two answers.');
    if (!isDeepStrictEqual(left, right))
      throw new Error(
        `Two answers of one seed to ${given.method} ${given.path}:\n${show(left)}\n${show(right)}`,
      );
    const { answer } = left;
    requireHidden(`the answer to ${given.method} ${given.path}`, answer.text + answer.location, [
      FORBIDDEN,
      ...(given.mayShowCredentials ? [] : [CREDENTIAL]),
    ]);
    return answer;
  };
  const control: Twins['control'] = (method, path, body) =>
    call({
      method,
      path: CONTROL + path,
      body,
      token: null,
      mayShowCredentials: /^\/(state|reset)$|\/restore$/.test(path),
    });
  const requireNoLeak = async (): Promise<void> => {
    const hidden = [FORBIDDEN, CREDENTIAL, ...secrets];
    for (const path of ['/requests', '/requests?format=har', '/events', '/outbox', '/coverage']) {
      for (const mock of mocks)
        requireHidden(path, (await send(mock, controlCall(path))).answer.text, hidden);
    }
    requireHidden('the log', log.splice(0).join('\n'), hidden);
  };
  const close = async (): Promise<void> => {
    await Promise.all(mocks.map((mock) => mock.close()));
  };
  return { call, control, secrets, requireNoLeak, close };
};

const controlCall = (path: string): Call => ({ method: 'GET', path: CONTROL + path, token: null });

const show = (value: unknown): string => JSON.stringify(value).slice(0, 2_000);

const requireHidden = (where: string, text: string, hidden: Iterable<string>): void => {
  for (const secret of hidden) {
    const at = text.indexOf(secret);
    if (at >= 0)
      throw new Error(`${secret} stands in ${where}: ${text.slice(Math.max(0, at - 200), at + 100)}`);
  }
};

const send = async (mock: Mock, { method, path, body, raw, headers, token = BEARER }: Call) => {
  const response = await mock.fetch(path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(raw && { 'content-type': raw.type }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(raw && { body: raw.text }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const answer: Answer = {
    status: response.status,
    text,
    location: response.headers.get('location') ?? '',
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
  // The date comes from the real clock.
  return { answer, headers: [...response.headers].filter(([name]) => name !== 'date') };
};
