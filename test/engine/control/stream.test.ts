import { expect, test } from '@jest/globals';
import { startMock } from '#mock';
import { callsOf, listeningServer } from '../../support/server.ts';

const server = await listeningServer();

const openStream = (environment: string, headers: Record<string, string> = {}) =>
  openAt(`/environments/${environment}/events`, headers);

/** Opens a stream of events. `read` resolves with the text of the next event, and skips heartbeats. */
const openAt = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.mock.url}/_mock${path}`, {
    headers: { accept: 'text/event-stream', ...headers },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (): Promise<string | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        if (!event.startsWith(':')) return event;
        continue;
      }
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return undefined;
      text += chunk.value;
    }
  };
  return { response, read, cancel: () => reader?.cancel() };
};

/** The number of an event and its kind. */
const shortOf = (event: string): string => event.replace(/^id: (\d+)\nevent: (\S+)\n.*/s, '$1 $2');

const SIGN_IN = 'authentication_request.created';
const signIn = { email: 'ada@acme.test', outcome: 'failed' };

test('a stream sends past changes, then new changes', async () => {
  const { name, control } = await server.isolated();
  await control('POST', '/sign-ins', signIn);
  const { response, read, cancel } = await openStream(name);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no', // a proxy sends each event on at once
  });
  expect(await read()).toMatch(/^id: 1\nevent: [a-z_.]+\ndata: \{.*"sequence":1/);
  await control('POST', '/sign-ins', signIn);
  expect(await read()).toMatch(/^id: 2\n/);
  await cancel();
});

test('a stream sends an event for a reset, and no number twice', async () => {
  const { name, control } = await server.isolated();
  await control('POST', '/sign-ins', signIn);
  const { read, cancel } = await openStream(name);
  expect(await read()).toMatch(/^id: 1\n/);
  await control('POST', '/reset');
  expect(await read()).toMatch(/^id: 2\nevent: reset\n/);
  await control('POST', '/sign-ins', signIn);
  expect(await read()).toMatch(/^id: 3\n/);
  expect((await control('GET', '/events')).body.events).toMatchObject([{ sequence: 3 }]);
  await cancel();
});

test.each([
  ['1', ['2 reset', `3 ${SIGN_IN}`]],
  ...['0', 'none', '2'].map((last): [string, string[]] => [last, [`3 ${SIGN_IN}`]]),
  ['3', []],
  ['99', ['2 reset', `3 ${SIGN_IN}`]],
])('a client that reconnects behind event %s learns of a reset that it missed', async (last, missed) => {
  const { name, control } = await server.isolated();
  await control('POST', '/sign-ins', signIn);
  await control('POST', '/reset');
  await control('POST', '/sign-ins', signIn);
  const { read, cancel } = await openStream(name, { 'last-event-id': last });
  await control('POST', '/sign-ins', signIn); // this one comes in any case, so that no read waits for ever
  const found: string[] = [];
  for (let event = await read(); event !== undefined; event = await read()) {
    found.push(shortOf(event));
    if (event.startsWith('id: 4\n')) break;
  }
  expect(found).toEqual([...missed, `4 ${SIGN_IN}`]);
  await cancel();
});

test('a stream ends when its environment is deleted', async () => {
  const { name } = await server.isolated();
  const { read } = await openStream(name);
  await server.control('DELETE', `/environments/${name}`);
  expect(await read()).toBeUndefined();
});

test('one stream can follow several environments, and each event names its environment', async () => {
  const [one, other] = [await server.isolated(), await server.isolated()];
  await one.api('GET', '/api/v1/connections');
  const { read, cancel } = await openAt(`/live?environments=${one.name},nowhere,${one.name},${other.name}`);
  const first = await read();
  expect(first).toContain(`event: journal\ndata: {"environment":"${one.name}","requests":[{"sequence":1,`);
  expect(first).toContain('listConnections');
  expect(await read()).toBe('event: gone\ndata: {"environment":"nowhere"}');
  expect(await read()).toBe(`event: journal\ndata: {"environment":"${other.name}","requests":[]}`);
  await other.api('GET', '/api/v1/connections');
  expect(await read()).toContain(`event: request\ndata: {"environment":"${other.name}","sequence":1,`);
  await one.control('GET', '/requests'); // reading causes no event
  await one.control('DELETE', '/requests');
  expect(await read()).toBe(`event: journal\ndata: {"environment":"${one.name}","requests":[]}`);
  expect(await read()).toBe(
    `event: control\ndata: {"environment":"${one.name}","operation":"clearRequests"}`,
  );
  await cancel();
});

test('a stream of several environments has an event when an environment is created or deleted', async () => {
  const { name } = await server.isolated();
  const { read, cancel } = await openAt(`/live?environments=${name}`);
  expect(await read()).toMatch(/^event: journal\n/);
  const other = await server.isolated();
  expect(await read()).toBe('event: environments\ndata: {}');
  await server.control('DELETE', `/environments/${name}`);
  expect(await read()).toBe('event: environments\ndata: {}');
  expect(await read()).toBe(`event: gone\ndata: {"environment":"${name}"}`);
  await server.control('DELETE', `/environments/${other.name}`);
  expect(await read()).toBe('event: environments\ndata: {}');
  await cancel();
});

test('closing the server ends waiting calls at once', async () => {
  const own = await startMock({ port: 0, log: 'silent' });
  const { control } = await callsOf(own).isolated();
  const waiting = control('GET', '/outbox?wait=4m');
  // Once a later call has been answered, the server has received the waiting call.
  await control('GET', '/clock');
  await own.close();
  expect((await waiting).body).toEqual({ emails: [] });
});
