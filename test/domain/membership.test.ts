import { expect, test } from '@jest/globals';
import { fromStart } from '../../src/core/moment.ts';
import { inviteStatus, isInvited, membershipStatus } from '../../src/domain/membership.ts';
import type { MembershipRow } from '../../src/domain/rows.ts';
import { DAY, START } from '../support/core.ts';
import { invitedRow, membershipRow } from '../support/people.ts';

const at = (now: number) => ({ now, start: START });
const inviteOf = (membership: MembershipRow, now: number): string =>
  isInvited(membership) ? inviteStatus(membership, at(now)) : 'none';

test('behaviour M6, T9: a pending invite reads INVITE_EXPIRED from the instant of expires_at, not before', () => {
  const membership = invitedRow('grace', { expires_at: fromStart(DAY) });
  expect(membershipStatus(membership, at(START + DAY - 1))).toBe('PENDING_INVITE');
  expect(membershipStatus(membership, at(START + DAY))).toBe('INVITE_EXPIRED');
  expect(inviteOf(membership, START + DAY - 1)).toBe('pending');
  expect(inviteOf(membership, START + DAY)).toBe('expired');
});

test('an invite reads accepted once the member is ACTIVE, and stays so while the member is INACTIVE', () => {
  const accepted = { accepted_at: fromStart(0) };
  expect(inviteOf(invitedRow('ada', {}, { ...accepted, stored_status: 'ACTIVE' }), START + 99 * DAY)).toBe(
    'accepted',
  );
  expect(inviteOf(invitedRow('ada', {}, { ...accepted, stored_status: 'INACTIVE' }), START + 99 * DAY)).toBe(
    'accepted',
  );
});

test('a revoked invite reads revoked and cannot be accepted', () => {
  const membership = invitedRow('grace', { is_revoked: true });
  expect(inviteOf(membership, START)).toBe('revoked');
  expect(membershipStatus(membership, at(START))).toBe('INVITE_EXPIRED');
});

test('a member who was never invited has no invite', () => {
  expect(inviteOf(membershipRow('margaret'), START)).toBe('none');
});
