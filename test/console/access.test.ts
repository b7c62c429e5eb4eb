/** The console of a server with a control token, of an environment that is missing, and of a mock that does not answer. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer({ controlToken: 'sesame' });
const headers = { authorization: 'Bearer sesame' };
const page = await openPage(`${server.mock.url}/_mock/#/nowhere/data/users`);

test('the page asks for the control token until it is right, and sends it with each call', async () => {
  expect(page.textOf('main')).toMatch(
    /^Control token This server was started with --control-token \. The token is kept only in this tab\. Token Open$/,
  );
  for (const [token, shown] of Object.entries({
    wrong: /^Control token .* Wrong token\. Token Open$/,
    ' sesame ': /^The environment nowhere does not exist /,
  })) {
    page.find('token').value = token;
    await page.submit('Open');
    expect(page.textOf('main')).toMatch(shown);
  }
});

test('a missing environment is named, another is offered in the same view, and the page goes on when it exists', async () => {
  expect(page.find('Open development').attributes.href).toBe('#/development/data/users');
  await server.control('POST', '/environments', { name: 'nowhere', scenario: 'empty' }, { headers });
  await page.settle();
  expect(page.textOf('main')).toMatch(/Users 0 New user No users yet\.$/);
  await server.control('DELETE', '/environments/nowhere', undefined, { headers });
  await page.settle();
  expect(page.textOf('main')).toMatch(/^The environment nowhere does not exist /);
});

test('an address without an environment leads to the first one, and one with an id to its name', async () => {
  await page.go('#/');
  expect(page.location.hash).toBe('#/development');
  await page.go('#//data?query=a');
  expect(page.location.hash).toBe('#/development/data?query=a');
  const { id } = (await server.control('GET', '/environments/production', undefined, { headers })).body;
  await page.go(`#/${id}/data/roles`);
  expect(page.location.hash).toBe('#/production/data/roles');
});

test('what cannot be found is said with a hint', async () => {
  await page.go('#/development/calls/999');
  expect(page.textOf('aside')).toBe(
    'Call 999 call 999 was not found. It is not one of the last 1,000 calls.',
  );
  await page.go('#/development/data/users/usr_1');
  expect(page.textOf('aside')).toBe(
    'usr_1 user usr_1 was not found. It may have been deleted, or its key has changed.',
  );
});

type Fetch = typeof fetch;

/** Answers calls of the page in the place of the mock, until the returned function is called. */
const standIn = (answer: (real: Fetch, ...call: Parameters<Fetch>) => Promise<Response>): (() => void) => {
  const { fetch: real } = globalThis;
  globalThis.fetch = (...call) => answer(real, ...call);
  return () => {
    globalThis.fetch = real;
  };
};

/** Loses the next call of the page, as if the mock was away for a moment. */
const loseCall = (): void => {
  const end = standIn(async () => {
    end();
    throw new TypeError('lost');
  });
};

test('a reset that failed says so until the next one succeeds, which is undone', async () => {
  await page.go('#/development/setup');
  loseCall();
  await page.press('Reset');
  for (let seconds = 0; seconds < 8; seconds += 2) await page.settle();
  expect(page.notices()).toMatch(/The mock is not responding\. Is it still running\?$/);
  await page.press('Reset');
  expect(page.notices()).toBe('Reset: done. Undo');
  await page.press('Undo');
  expect(page.notices()).toBe('Undone: Reset.');
});

test('a list that could not be read says so until it can be read', async () => {
  const end = standIn(async (real, request, init) =>
    (request as Request).url.includes('/rows/roles')
      ? new Response('{}', { status: 503 })
      : real(request, init),
  );
  await page.go('#/development/data/roles');
  expect(page.textOf('main')).toMatch(/The mock answered 503\. .* Trying again…/);
  end();
  await page.settle();
  expect(page.textOf('main')).toMatch(/ Roles 2 New role /);
});

test('a mock that has stopped is reported', async () => {
  await page.go('#/development/setup');
  await server.mock.close();
  await page.press('Reset');
  expect(page.notices()).toMatch(
    /^The mock is not responding\. This page goes on once the mock responds\. .* Is it still running\?$/,
  );
});
