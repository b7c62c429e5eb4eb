/**
 * Two mocks with the same seed that get the same calls. Both must give the same answers, byte by byte, and no answer may
 * leak a secret.
 */
import { expect } from '@jest/globals';
import { createMock, type Mock, type MockOptions } from '#mock';
import { BEARER, CREDENTIAL, FORBIDDEN, SCENARIO } from './scenario.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string;
  /** The parsed text, if it is JSON. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface CallOptions {
  /** Sent as JSON, or as a form if it is URLSearchParams. */
  readonly body?: unknown;
  /** The bearer token. Null: none. */
  readonly token?: string | null;
  /** Whether the answer may hold credentials that callers brought. */
  readonly mayShowCredentials?: boolean;
}

export type Twins = ReturnType<typeof startTwins>;

const ENVIRONMENT = '/_mock/environments/model';
const RECORDS = ['/requests', '/requests?format=har', '/events', '/outbox', '/coverage'];

export const startTwins = () => {
  const log: string[] = [];
  const start = (): Mock =>
    createMock({
      scenario: SCENARIO as MockOptions['scenario'], // the mock checks the scenario
      validateResponses: 'on',
      log: (entry) => log.push(JSON.stringify(entry)),
    });
  const twins = [start(), start()] as const;
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const [left, right] = await Promise.all([
      send(twins[0], method, path, options),
      send(twins[1], method, path, options),
    ]);
    expect(right).toEqual(left);
    const { answer } = left;
    requireHidden(`${method} ${path}`, answer.text + answer.location, options.mayShowCredentials);
    return answer;
  };
  return {
    call,
    /** Calls the control plane of the environment. */
    control: (method: string, path: string, body?: unknown) => {
      const mayShowCredentials = /^\/(state|reset)$|\/restore$/.test(path);
      return call(method, ENVIRONMENT + path, { body, token: null, mayShowCredentials });
    },
    /** Searches journal, HAR, events, outbox, coverage and log for credentials. */
    requireNoLeak: async () => {
      // The records have real times, in which the mocks differ, so only one mock is searched.
      for (const path of RECORDS)
        requireHidden(path, (await send(twins[0], 'GET', ENVIRONMENT + path, { token: null })).answer.text);
      requireHidden('the log', log.splice(0).join('\n'));
    },
    close: () => Promise.all(twins.map((mock) => mock.close())),
  };
};

const requireHidden = (where: string, text: string, mayShowCredentials = false): void => {
  for (const secret of mayShowCredentials ? [FORBIDDEN] : [FORBIDDEN, CREDENTIAL]) {
    const at = text.indexOf(secret);
    if (at >= 0) throw new Error(`${secret} is in ${where}: ${text.slice(Math.max(0, at - 200), at + 100)}`);
  }
};

const send = async (mock: Mock, method: string, path: string, options: CallOptions) => {
  const { body, token = BEARER } = options;
  const isForm = body instanceof URLSearchParams;
  const headers = new Headers(token === null ? {} : { authorization: `Bearer ${token}` });
  if (!isForm) headers.set('content-type', 'application/json');
  const sent = body === undefined || isForm ? body : JSON.stringify(body);
  const response = await mock.fetch(path, {
    method,
    redirect: 'manual',
    headers,
    ...(sent && { body: sent }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const location = response.headers.get('location') ?? '';
  const answer: Answer = {
    status: response.status,
    text,
    location,
    body: isJson && text ? JSON.parse(text) : undefined,
  };
  // The date comes from the real clock.
  return { answer, headers: [...response.headers].filter(([name]) => name !== 'date') };
};
