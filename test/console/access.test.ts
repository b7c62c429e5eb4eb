/** The console of a server with a control token, of an environment that is missing, and of a mock that does not answer. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer({ controlToken: 'sesame' });
const headers = { authorization: 'Bearer sesame' };
const page = await openPage(`${server.mock.url}/_mock/#/nowhere/users`);

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
  expect(page.find('Open development').attributes.href).toBe('#/development/users');
  await server.control('POST', '/environments', { name: 'nowhere', scenario: 'empty' }, { headers });
  await page.settle();
  expect(page.textOf('main')).toMatch(/^Users 0 Search users New user No users yet\.$/);
  await server.control('DELETE', '/environments/nowhere', undefined, { headers });
  await page.settle();
  expect(page.textOf('main')).toMatch(/^The environment nowhere does not exist /);
});

test('an address without an environment leads to the first one, and one with an id to its name', async () => {
  await page.go('#/');
  expect(page.location.hash).toBe('#/development');
  await page.go('#/%ZZ/users?query=a');
  expect(page.location.hash).toBe('#/development/users?query=a');
  const { id } = (await server.control('GET', '/environments/production', undefined, { headers })).body;
  await page.go(`#/${id}/roles`);
  expect(page.location.hash).toBe('#/production/roles');
});

test('what cannot be found is said with a hint', async () => {
  await page.go('#/development/journal/999');
  expect(page.textOf('aside')).toBe('Call 999 The journal has no call 999.');
  await page.go('#/development/users/usr_1');
  expect(page.textOf('aside')).toBe('usr_1 This row no longer exists.');
});

test('a mock that has stopped is reported, and what the user does then can be tried again', async () => {
  await page.go('#/development/users');
  await server.mock.close();
  await page.press('Reset');
  expect(page.notices()).toMatch(/The mock is not responding\. Is it still running\? Try again$/);
  expect(page.root.text).toMatch(
    /^The mock is not responding\. This page will continue once the mock responds\. /,
  );
});
