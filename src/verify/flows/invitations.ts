/** Cases about resending invitations. */
import { type Case, reading, test, writing } from '../case.ts';
import { textAt } from '../client.ts';
import { aTime, daysAfter } from '../matchers.ts';
import { UNKNOWN } from '../samples.ts';
import { anInvitedMember } from './setup.ts';

const SENDING = writing(
  'resendInvite',
  test('Resending a valid invitation returns it with resent_at and a resent_count of 1', async (service) => {
    const path = await anInvitedMember(service);
    const invite = { organization_id: path.organization_id, user_id: path.id, status: 'pending' };
    const times = { created_at: aTime, expires_at: aTime, resent_at: aTime };
    await service.call(
      'resendInvite',
      { path, body: {} },
      { body: { invite: { ...invite, ...times, resent_count: 1 } } },
    );
  }).promised('M7'),
  test('Resending an invitation twice counts both, and it still expires 15 days after it was created', async (service) => {
    const path = await anInvitedMember(service);
    const { body } = await service.call('resendInvite', { path, body: {} });
    const expires_at = textAt(body, 'invite', 'expires_at');
    const made = textAt(body, 'invite', 'created_at');
    const again = { body: { invite: { resent_count: 2, expires_at } } };
    await service.call('resendInvite', { path, body: {} }, again);
    const in15Days = { body: { invite: { expires_at: daysAfter(made, 15) } } };
    await service.call('resendInvite', { path, body: {} }, in15Days);
  }).inferred('M1', 'M7'),
  test('Resending answers 404 for a member who was never invited', async (service) => {
    const path = { organization_id: service.organizationId, id: service.userId };
    await service.call('createMembership', { path, query: { send_invitation_email: false }, body: {} });
    await service.misses('resendInvite', { path, body: {} });
  }).promised('M7'),
);

const MISSING = reading(
  'resendInvite',
  test('Resending answers 404 for a user or an organization that does not exist', async (service) => {
    const { organizationId: organization_id, userId: id } = service;
    await service.misses('resendInvite', { path: { organization_id, id: UNKNOWN.user }, body: {} });
    await service.misses('resendInvite', { path: { organization_id: UNKNOWN.organization, id }, body: {} });
  }).promised('M7'),
);

export const INVITATION_FLOWS: readonly Case[] = [...SENDING, ...MISSING];
