/** An authorization link sends users only to its `user_verify_url`, and nobody can change that address. */
import { expect, test } from '@jest/globals';
import { stateWith } from '../engine/scenario/files.ts';
import { type Answer, listeningServer, rawRequest } from '../support/server.ts';

const server = await listeningServer();

const link = (user_verify_url: string, state?: string): Promise<Answer> =>
  server.call('POST', '/api/v1/connected_accounts/magic_link', {
    body: { connector: 'mail', identifier: 'ada@acme.test', user_verify_url, state },
  });

const visit = (address: string): Promise<Answer> =>
  server.call('GET', address.slice(server.mock.url.length), { token: null });

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)//https://a.test',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://a.test',
  '//evil.test/path',
  '/path',
  'evil.test',
  'https:evil.test',
  'https:\\\\evil.test',
  'https:///evil.test',
  'https://',
  'https://?x',
  'https://\\evil.test',
  'https://a.test\\@evil.test',
  ' https://a.test',
  'https://a.test ',
  'https://a b.test',
  'https://a\tb.test',
  'https://a.test/\r\nSet-Cookie: a=b',
  'https://a.test/\u0000',
  'https://a.test/\u2028',
  'https://[::1',
  'https://a.test:99999',
  'https://a%2fb.test',
  'http://%00',
  'https://xn--',
  'https://.',
  'https://a..test',
  'https://:443',
])('behaviour I5: a new link with the user_verify_url %j is refused with a 400', async (address) => {
  const { status, body } = await link(address);
  expect(status).toBe(400);
  expect(body.details[0].validation_error_info.field_violations[0].field).toBe('user_verify_url');
});

test.each([
  ['https://app.acme.test/back?keep=%20me#part', 'https://app.acme.test'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://[::1]:3000/back', 'http://[::1]:3000'],
  ['https://app.acme.test./back', 'https://app.acme.test.'],
  ['https://user:pass@app.acme.test/@evil.test', 'https://app.acme.test'],
])('the redirect goes to the host of %s, and the page names this host', async (address, origin) => {
  const host = new URL(origin).host;
  const { body } = await link(address, 'a');
  expect((await visit(body.link)).text).toContain(`you return to ${host}.`.replace(/^you r/, 'ou r'));
  for (const decision of ['deny', 'approve']) {
    const made = (await link(address, 'a')).body.link;
    const answer = await visit(`${made}?decision=${decision}`);
    expect(answer.status).toBe(302);
    expect(new URL(answer.headers.location ?? '').origin).toBe(origin);
  }
});

test.each([
  'x\r\nSet-Cookie: stolen=1\r\n\r\n<script>alert(1)</script>',
  '&auth_request_id=forged#fragment',
  '\u2028\u0000\u0085é💩',
  '../../..//evil.test',
])('the state %j is returned unchanged, and only in the query of the redirect', async (state) => {
  const { body } = await link('https://app.acme.test/back', state);
  const { headers } = await visit(`${body.link}?decision=approve`);
  const location = new URL(headers.location ?? '');
  expect(location.href).toMatch(/^https:\/\/app\.acme\.test\/back\?[\x21-\x7e]+$/);
  expect(location.searchParams.getAll('state')).toEqual([state]);
  expect(location.searchParams.getAll('auth_request_id')).toHaveLength(1);
  expect(headers['set-cookie']).toBeUndefined();
  expect(location.hash).toBe('');
});

test('parameters that a visitor adds to a link cannot change where the link leads', async () => {
  const made = (await link('https://app.acme.test/back')).body.link;
  const more = 'redirect=https://evil.test&user_verify_url=https://evil.test&state=x';
  const { headers } = await visit(`${made}?decision=approve&${more}`);
  expect(headers.location).toMatch(/^https:\/\/app\.acme\.test\/back\?auth_request_id=[\w-]+$/);
});

test('a path that contains another host gets a 404, never a redirect', async () => {
  const paths = ['//evil.test', '/magicLink//evil.test', '/magicLink/%2f%2fevil.test', '/connect//evil.test'];
  for (const path of paths) {
    const answer = await server.raw(rawRequest(`GET ${path} HTTP/1.1`));
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).not.toMatch(/^location:/im);
  }
});

test('a scenario with an invalid user_verify_url is refused', () => {
  const text = `
connections: [{ key_id: mail }]
connected_accounts: [{ connector: mail, identifier: a }]
authorization_links: [{ account: mail/a, user_verify_url: 'https://a.test:99999' }]`;
  expect(() => stateWith(text)).toThrow(
    'authorization_links[0].user_verify_url: is not an http or https URL',
  );
});
