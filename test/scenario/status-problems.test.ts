/** A status follows from dates, invites and requests: one that they contradict is refused, not read as another. */
import { expect, test } from '@jest/globals';
import { environment, load, problemsOf, problemsWith, readMark } from './files.ts';

const MEMBER = (lines: string): string => `organizations: [{ name: acme }]
users: [{ email: a@b.test, memberships: [{ name: acme, ${lines} }] }]`;

test.each([
  [
    'PENDING_INVITE that has ended',
    'membership_status: PENDING_INVITE, expires_at: »-1d',
    'PENDING_INVITE needs an',
  ],
  [
    'PENDING_INVITE and accepted',
    'membership_status: PENDING_INVITE, accepted_at: »-1d',
    'PENDING_INVITE has no accepted_at',
  ],
  [
    'INVITE_EXPIRED and accepted',
    'membership_status: INVITE_EXPIRED, accepted_at: »-1d',
    'INVITE_EXPIRED has no accepted_at',
  ],
  [
    'PENDING_INVITE and joined',
    'membership_status: PENDING_INVITE, join_time: »now',
    'PENDING_INVITE has no join_time',
  ],
  [
    'PENDING_INVITE with a revoked invite',
    'membership_status: PENDING_INVITE, invite: »{ status: revoked }',
    'PENDING_INVITE with a revoked invite reads INVITE_EXPIRED',
  ],
  [
    'INVITE_EXPIRED without an invite',
    'membership_status: INVITE_EXPIRED, invite: »null',
    'INVITE_EXPIRED without an invite reads PENDING_INVITE',
  ],
  [
    'INACTIVE with an invite that still waits',
    'membership_status: INACTIVE, accepted_at: »never, invite: {}',
    'INACTIVE without having accepted goes with an invite that is revoked',
  ],
])('behaviour M6: a membership that is %s is refused', (_, marked, problem) => {
  const { text, place } = readMark(environment(MEMBER(marked)));
  expect(problemsOf(() => load(text))).toEqual([expect.stringContaining(`main.yaml:${place}: `)]);
  expect(problemsOf(() => load(text))[0]).toContain(problem);
});

test.each([
  'membership_status: PENDING_INVITE, accepted_at: never, join_time: never',
  'membership_status: INVITE_EXPIRED, invite: { status: revoked }, expires_at: +1d',
  'membership_status: INACTIVE, accepted_at: never, invite: { status: revoked }',
])('behaviour M6: a membership of which all agrees is taken: %s', (lines) => {
  expect(problemsWith(MEMBER(lines))).toEqual([]);
});

const ACCOUNT = (lines: string): string => `connections: [{ key_id: mail }]
connected_accounts: [{ connector: mail, identifier: a, ${lines} }]`;
const BARE = 'authorization_details: { oauth_token: { access_token: t } }';

test.each([
  [
    'EXPIRED with an end ahead',
    'status: EXPIRED, token_expires_at: »+1h',
    'EXPIRED needs a token_expires_at that has passed',
  ],
  ['EXPIRED and would be refreshed', 'status: EXPIRED, refresh: »grant', 'EXPIRED needs refresh: deny'],
  [
    'EXPIRED while it is cut off',
    'status: EXPIRED, stored_status: »DISCONNECTED',
    'an account that is DISCONNECTED expires no more',
  ],
  [
    'ACTIVE with an end that has passed',
    `status: ACTIVE, ${BARE}, token_expires_at: »-1h`,
    'ACTIVE needs a token_expires_at that is still ahead',
  ],
])('behaviour A8: an account that is %s is refused', (_, marked, problem) => {
  const { text, place } = readMark(environment(ACCOUNT(marked)));
  expect(problemsOf(() => load(text))).toEqual([expect.stringContaining(`main.yaml:${place}: `)]);
  expect(problemsOf(() => load(text))[0]).toContain(problem);
});

test('behaviour A8: an end that has passed is no contradiction where the provider would refresh', () => {
  expect(problemsWith(ACCOUNT('status: ACTIVE, token_expires_at: -1h'))).toEqual([]);
});

test('behaviour V3: an account with an open request is PENDING_VERIFICATION, and one that has ended changes nothing', () => {
  const request = (end: string) =>
    `${ACCOUNT('status: ACTIVE')}\nverification_requests: [{ account: mail/a, expires_at: ${end} }]`;
  expect(problemsWith(request('+1h'))).toEqual([
    expect.stringContaining('connected_accounts[0].status: a verification request of the account is open'),
  ]);
  expect(problemsWith(request('-1h'))).toEqual([]);
});
