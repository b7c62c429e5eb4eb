import { expect, test } from '@jest/globals';
import { GRACE, hostedPages } from './hosted.ts';

const { env, visit, post, unchanged } = await hostedPages();

test('behaviour M8: the invitation page says who is invited, to which organization and by whom, and opening it changes nothing', async () => {
  const { status, text } = await unchanged(() => visit(GRACE));
  expect(status).toBe(200);
  const names = ['Join Acme Corporation', 'grace@acme.test', 'ada@acme.test'];
  const shown = ['13 Mar 2026, 12:00 UTC', 'data-testid="accept"', 'data-testid="environment">development<'];
  for (const words of [...names, ...shown]) expect(text).toContain(words);
  expect((await unchanged(() => visit(GRACE, { method: 'HEAD' }))).status).toBe(200);
});

test('behaviour M8, M7: accepting an invitation shows a welcome, after which its page is a 410', async () => {
  const accepted = await post(GRACE, {});
  expect([accepted.status, accepted.text]).toEqual([200, expect.stringContaining('invitation-accepted')]);
  expect(accepted.text).toMatch(
    /data-testid="environment">development<.*class="emblem good".*Welcome to Acme Corporation/s,
  );
  const again = await post(GRACE, {});
  expect([again.status, again.text]).toEqual([410, expect.stringContaining('invitation-used')]);
});

test('behaviour M8: with initiate_login_url, the user goes there after accepting', async () => {
  await env.patchSettings({ initiate_login_url: 'https://app.acme.test/login?x=1' });
  const page = await visit(GRACE); // Chromium also checks where the form redirects
  const policy = page.headers['content-security-policy'];
  expect(policy).toContain("form-action 'self' https://app.acme.test;");
  const { status, headers } = await post(GRACE, {});
  expect([status, headers.location]).toEqual([302, 'https://app.acme.test/login?x=1']);
});

test.each([
  ['token-linus', 410, 'invitation-expired'],
  ['token-revoked', 410, 'invitation-revoked'],
  ['token-nobody', 404, 'invitation-unknown'],
])('behaviour M7: opening or accepting %s shows a %i page', async (token, status, name) => {
  const path = `/invitations/${token}`;
  for (const open of [() => visit(path), () => post(path, {})]) {
    const answer = await unchanged(open);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`data-testid="${name}"`)]);
    expect(answer.text.includes('data-testid="environment"')).toBe(status === 410);
  }
});
