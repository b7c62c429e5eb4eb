/** A response of `mock.fetch` read in every way there is: as one that came over a port. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createMock, type Mock, startMock } from '../../src/index.ts';
import { toResponse } from '../../src/mock/in-process/response.ts';

const OPTIONS = {
  scenario: 'default',
  clock: '2026-03-01T12:00:00Z',
  baseUrl: 'http://mock.example.test',
  log: 'silent',
} as const;

let local: Mock;
let served: Mock;
beforeAll(async () => {
  local = createMock(OPTIONS);
  served = await startMock({ ...OPTIONS, port: 0 });
});
afterAll(() => Promise.all([local.close(), served.close()]));

const BEARER = { authorization: 'Bearer dev-token' };
const LIST = '/api/v1/connections';

/** What came of it: a value, or the kind of error. */
const outcome = async (run: () => unknown): Promise<unknown> => {
  try {
    return await run();
  } catch (error) {
    return (error as Error).name; // of another realm, in jest
  }
};

const nextChunk = async ({ body }: Response): Promise<unknown> => {
  const reader = body?.getReader();
  const { done, value } = (await reader?.read()) ?? {};
  reader?.releaseLock();
  return [done, value && value.length > 0];
};

const ways: readonly [string, (response: Response) => unknown][] = [
  ['its type', ({ type }) => type],
  ['its text', (response) => response.text()],
  ['its JSON', (response) => response.json()],
  ['its bytes', async (response) => Buffer.from(await response.arrayBuffer()).toString()],
  ['its blob', async (response) => [(await response.blob()).type, (await response.blob()).size]],
  ['one blob', async (response) => (await response.blob()).type],
  ['form data that it is not', (response) => response.formData()],
  ['a stream', async (response) => new Response(response.body).text()],
  ['whether there is a body', ({ body, bodyUsed }) => [body instanceof ReadableStream, bodyUsed]],
  ['a second text', async (response) => [await response.text(), await outcome(() => response.text())]],
  ['JSON after a text', async (response) => [await response.text(), await outcome(() => response.json())]],
  [
    'two texts at once',
    (response) => Promise.all([outcome(() => response.text()), outcome(() => response.text())]),
  ],
  ['whether it was used, at once', (response) => [response.text().then(String), response.bodyUsed][1]],
  [
    'a body after its text',
    async (response) => {
      await response.text();
      return [response.bodyUsed, response.body?.locked, await outcome(() => response.body?.getReader())];
    },
  ],
  [
    'bytes after its JSON',
    async (response) => {
      await response.json();
      return outcome(() => response.arrayBuffer());
    },
  ],
  [
    'a copy and itself',
    async (response) => {
      const copy = response.clone();
      return [await copy.json(), response.bodyUsed, await response.text(), copy.bodyUsed];
    },
  ],
  [
    'a copy of a copy',
    async (response) => [await response.clone().clone().text(), await response.clone().json()],
  ],
  [
    'a copy after its body was looked at',
    async (response) => {
      const { locked } = response.body ?? {};
      return [locked, await response.clone().text(), await response.text()];
    },
  ],
  [
    'a copy after it was read',
    async (response) => {
      await response.text();
      return outcome(() => response.clone());
    },
  ],
  [
    'a text after a part of its stream',
    async (response) => [await nextChunk(response), response.bodyUsed, await outcome(() => response.text())],
  ],
  [
    'a copy that kept its head',
    (response) => {
      const { status, statusText, ok, type, redirected, headers } = response.clone();
      return [status, statusText, ok, type === response.type, redirected, headers.get('content-type')];
    },
  ],
  ['another made of it', async (response) => new Response(response.body, response).json()],
  [
    'its kind',
    (response) => [response instanceof Response, String(response), inspect(response).slice(0, 30)],
  ],
];

const answers: readonly [string, string, RequestInit][] = [
  ['a list', LIST, { headers: BEARER }],
  ['an error', LIST, {}],
  ['HEAD', LIST, { headers: BEARER, method: 'HEAD' }],
  ['a preflight', LIST, { method: 'OPTIONS', headers: { origin: 'http://app.test' } }],
  ['a page', '/connect/nowhere', {}],
  ['an icon', '/favicon.ico', {}],
];

const each = answers.flatMap(([answer, path, init]) =>
  ways.map(([way, read]) => [way, answer, { path, init, read }] as const),
);

test.each(each)('%s of %s is the same in process as over HTTP', async (_way, _answer, {
  path,
  init,
  read,
}) => {
  const responses = await Promise.all([local.fetch(path, init), fetch(served.url + path, init)]);
  const [inProcess, overHttp] = await Promise.all(responses.map((response) => outcome(() => read(response))));
  expect(withoutIds(inProcess)).toEqual(withoutIds(overHttp));
});

/** The two mocks have answered differently often. */
const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).replace(/req_\d+/g, 'req_n'));

const held = (body: string | Uint8Array | null): Response =>
  toResponse(
    { status: 200, headers: [], body },
    { url: new URL('http://mock.example.test/'), isRedirected: false },
  );

test.each([
  ['half of a pair', 'a\ud800b', 'a\ufffdb'],
  ['a byte order mark', '\ufeffa', 'a'],
  ['other alphabets', 'žluť 漢字 🙂', 'žluť 漢字 🙂'],
  ['nothing', '', ''],
])('a text with %s reads as its bytes would', async (_what, sent, read) => {
  expect([await held(sent).text(), await held(Buffer.from(sent)).text()]).toEqual([read, read]);
});

test('a text that is no JSON rejects, and counts as read', async () => {
  const response = held('{');
  await expect(response.json()).rejects.toMatchObject({ name: 'SyntaxError' });
  expect(response.bodyUsed).toBe(true);
});

test('bytes are given as bytes, and no content type is made up', async () => {
  const bytes = (response: Response) => (response as Response & { bytes(): Promise<Uint8Array> }).bytes();
  expect(Buffer.from(await bytes(held('héllo'))).toString()).toBe('héllo');
  expect([held('x').headers.get('content-type'), (await held('x').blob()).type]).toEqual([null, '']);
});

test('asking again and again leaves timers their turn', async () => {
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, 0);
  let calls = 0;
  while (!isOver && calls < 10_000) {
    await local.fetch(LIST, { headers: BEARER });
    calls += 1;
  }
  expect(isOver).toBe(true);
});

test('a test that stops the clocks of its process is still answered', async () => {
  jest.useFakeTimers();
  try {
    expect((await local.fetch(LIST, { headers: BEARER })).status).toBe(200);
  } finally {
    jest.useRealTimers();
  }
});
