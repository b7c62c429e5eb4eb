import { beforeEach, expect, test } from '@jest/globals';
import { rowsBy } from '../../src/core/table.ts';
import type { Environment } from '../../src/environments/environment.ts';
import { hostedPages, PRODUCTION, sealed } from './hosted.ts';

const server = hostedPages();
let environment: Environment;
const GRACE = `/invitations/${sealed('token-grace')}`;

beforeEach(() => {
  environment = server.begin();
});

const standingOf = (user: string): string | undefined =>
  rowsBy(environment.current.data.memberships, 'user_id', user)[0]?.stored_status;

test('behaviour M8: the invitation page says who is invited where and by whom, and decides nothing', async () => {
  const before = environment.current;
  const { status, text: page } = await server.visit(GRACE);
  expect(status).toBe(200);
  for (const text of ['Join Acme Corporation', 'grace@acme.test', 'ada@acme.test', 'data-testid="accept"'])
    expect(page).toContain(text);
  expect((await server.visit(GRACE, { method: 'HEAD' })).status).toBe(200);
  expect(environment.current).toBe(before);
});

test('behaviour M8, M7: accepting makes the member ACTIVE and shows a welcome; the page is then 410', async () => {
  const accepted = await server.post(GRACE, {});
  expect(accepted.status).toBe(200);
  expect(accepted.text).toContain('data-testid="invitation-accepted"');
  expect(standingOf('usr_grace')).toBe('ACTIVE');
  const again = await server.post(GRACE, {});
  expect(again.status).toBe(410);
  expect(again.text).toContain('data-testid="invitation-used"');
});

test.each([
  ['token-linus', 410, 'invitation-expired'],
  ['token-revoked', 410, 'invitation-revoked'],
  ['token-nobody', 404, 'invitation-unknown'],
])('behaviour M7: opening or accepting %s shows a %i page', async (token, status, name) => {
  const path = `/invitations/${sealed(token)}`;
  for (const response of [await server.visit(path), await server.post(path, {})]) {
    expect(response.status).toBe(status);
    expect(response.text).toContain(`data-testid="${name}"`);
  }
});

test('an invitation can be accepted only in its own environment', async () => {
  await server.post(`/invitations/${sealed('token-grace', PRODUCTION)}`, {});
  expect(standingOf('usr_grace')).toBe('INVITED');
});
