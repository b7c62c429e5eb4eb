/** Steps on memberships and invitations. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import * as memberships from '../model/memberships.ts';
import { USERS } from '../model/world.ts';
import { choose, command, isChosen, picks, type Run, settle } from '../run.ts';

const place: fc.Arbitrary<memberships.Place> = fc.record({
  organization: fc.constantFrom(...Array(6).fill(['org_acme', 'org_globex']).flat(), 'org_nobody'),
  user: fc.constantFrom(...Array(4).fill(USERS).flat(), 'usr_00000000stranger'),
});

const pathOf = ({ organization, user }: memberships.Place, area = 'memberships'): string =>
  `/api/v1/${area}/organizations/${organization}/users/${user}`;

/** The token in the link of the newest e-mail. */
const lastInvitation = async ({ twins }: Run): Promise<string> =>
  (await twins.control('GET', '/outbox')).body.emails.at(-1)?.link.split('/').at(-1) ?? '';

const create = command(
  'invite',
  fc.record({ place, sends: fc.constantFrom(true, true, false) }),
  async (run, { place: at, sends }) => {
    const body = { inviter_email: 'boss@acme.test', metadata: { team: 'core' } };
    const answer = await run.twins.call('POST', `${pathOf(at)}?send_invitation_email=${sends}`, { body });
    const token = await lastInvitation(run);
    return settle(answer, memberships.create(run.world, at, sends, token));
  },
);

const change = command('change', fc.record({ place, tag: picks }), async (run, given) => {
  const body = { metadata: { tag: String(given.tag) } };
  const answer = await run.twins.call('PATCH', pathOf(given.place), { body });
  return settle(answer, memberships.change(run.world, given.place));
});

const remove = command('remove', place, async (run, at) => {
  const answer = await run.twins.call('DELETE', pathOf(at));
  return settle(answer, memberships.remove(run.world, at));
});

const resend = command('resend', place, async (run, at) => {
  const answer = await run.twins.call('PATCH', `${pathOf(at, 'invites')}/resend`, { body: {} });
  const [status, resent] = memberships.resend(run.world, at, await lastInvitation(run));
  if (resent !== undefined)
    expect(answer.body.invite).toMatchObject({ resent_count: resent, status: 'pending', user_id: at.user });
  return settle(answer, status);
});

const act = command(
  'membership action',
  fc.record({ place, action: fc.constantFrom('accept', 'expire', 'deactivate', 'activate') }),
  async (run, { place: at, action }) => {
    const answer = await run.twins.control('POST', `/memberships/${at.organization}/${at.user}/${action}`);
    return settle(answer, memberships.act(run.world, at, action));
  },
);

const tokens = ({ world }: Run): string[] => world.memberships.flatMap(({ invite }) => invite?.token || []);

const visit = command(
  'visit invitation',
  fc.record({ pick: picks, accepts: fc.boolean() }),
  async (run, { pick, accepts }) => {
    const token = choose(run, 'invitation', tokens(run), pick);
    const answer = await run.twins.call(accepts ? 'POST' : 'GET', `/invitations/${token}`, { token: null });
    return settle(answer, memberships.invitationPage(run.world, token, accepts)) && accepts;
  },
  (run, { pick }) => isChosen(tokens(run), pick),
);

export const MEMBERSHIP_COMMANDS = [create, change, remove, resend, act, visit];
