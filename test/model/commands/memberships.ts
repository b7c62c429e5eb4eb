/** Commands on memberships and invitations, by id and by external id. */
import fc from 'fast-check';
import * as memberships from '../model/memberships.ts';
import { EXTERNAL_IDS, type Foreseen } from '../model/world.ts';
import { type Run, settle } from '../run.ts';
import type { Twins } from '../twins.ts';
import { type Command, choose, command, isChosen, remember } from './command.ts';

const USERS = ['usr_000000000000ada', 'usr_0000000000grace', 'usr_0000000noprofile'];
const EXTERNAL = ['ext-ada', 'ext-grace'];

/** Mostly picks a known one, now and then the unknown one. */
const often = (known: readonly string[], unknown: string): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 12 }, fc.constant(unknown));

const places: fc.Arbitrary<memberships.Place> = fc.record({
  organization: often(['org_acme', 'org_globex'], 'org_nobody'),
  user: fc.oneof(
    { arbitrary: often(USERS, 'usr_00000000stranger'), weight: 3 },
    often(EXTERNAL, 'ext-stranger'),
  ),
});
/** Undefined: none are sent. */
const roles = fc.constantFrom(
  undefined,
  undefined,
  undefined,
  undefined,
  [],
  [{ name: 'admin' }],
  [{ id: 'role_member' }, { name: 'admin' }],
  [{ name: 'king' }],
  [{ id: 'role_member', name: 'admin' }],
);

const isFit = (sent: readonly { readonly id?: string; readonly name?: string }[] = []): boolean =>
  sent.every(({ id, name }) => name !== 'king' && !(id && name));

const pathOf = ({ organization, user }: memberships.Place): string =>
  `/api/v1/memberships/organizations/${organization}/${user.startsWith('ext-') ? 'users:external/' : 'users/'}${user}`;

const show = ({ organization, user }: memberships.Place): string => `${user} in ${organization}`;

/** The token of the newest mail, which is how an invited user learns it. */
const lastInvitation = async (run: Run, twins: Twins): Promise<string> => {
  const { body, status, text } = await twins.control('GET', '/outbox');
  if (status !== 200) throw new Error(`The outbox cannot be read: ${status} ${text.slice(0, 300)}`);
  const token = body.emails.at(-1)?.link.split('/').at(-1) ?? '';
  if (token) remember(run.seen.invitations, token);
  return token;
};

const createMembership: fc.Arbitrary<Command> = fc
  .record({ place: places, roles, sends: fc.constantFrom(true, true, false) })
  .map(({ place, roles: sent, sends }) =>
    command(
      `invite ${show(place)}${sends ? '' : ' without e-mail'}, roles ${JSON.stringify(sent)}`,
      async (run, twins) => {
        const path = `${pathOf(place)}?send_invitation_email=${sends}`;
        const body = {
          inviter_email: 'boss@acme.test',
          metadata: { team: 'core' },
          ...(sent && { roles: sent }),
        };
        const answer = await twins.call({ method: 'POST', path, body });
        const foreseen = memberships.create(run.model, place, sends, isFit(sent));
        settle(run, foreseen, answer, { token: await lastInvitation(run, twins) });
        return foreseen;
      },
    ),
  );

const updateMembership: fc.Arbitrary<Command> = fc
  .record({ place: places, roles, tag: fc.nat({ max: 3 }) })
  .map(({ place, roles: sent, tag }) =>
    command(`change ${show(place)}, roles ${JSON.stringify(sent)}`, async (run, twins) => {
      const body = { metadata: { tag: String(tag) }, ...(sent && { roles: sent }) };
      const answer = await twins.call({ method: 'PATCH', path: pathOf(place), body });
      const foreseen = memberships.change(run.model, place, isFit(sent));
      settle(run, foreseen, answer);
      return foreseen;
    }),
  );

const deleteMembership: fc.Arbitrary<Command> = places.map((place) =>
  command(`remove ${show(place)}`, async (run, twins) => {
    const answer = await twins.call({ method: 'DELETE', path: pathOf(place) });
    const foreseen = memberships.remove(run.model, place);
    settle(run, foreseen, answer);
    return foreseen;
  }),
);

/** Only ever by id. */
const byId = (place: memberships.Place): memberships.Place => ({
  ...place,
  user: EXTERNAL_IDS[place.user] ?? place.user.replace(/^ext-/, 'usr_00000000'),
});

const resendInvite: fc.Arbitrary<Command> = places.map(byId).map((place) =>
  command(`resend to ${show(place)}`, async (run, twins) => {
    const path = `/api/v1/invites/organizations/${place.organization}/users/${place.user}/resend`;
    const answer = await twins.call({ method: 'PATCH', path, body: {} });
    const foreseen = memberships.resend(run.model, place);
    settle(run, foreseen, answer, { token: await lastInvitation(run, twins) });
    return foreseen;
  }),
);

const membershipAction: fc.Arbitrary<Command> = fc
  .record({
    place: places.map(byId),
    action: fc.constantFrom<memberships.Action>('accept', 'expire', 'deactivate', 'activate'),
  })
  .map(({ place, action }) =>
    command(`${action} ${show(place)}`, async (run, twins) => {
      const { organization, user } = place;
      const answer = await twins.control('POST', `/memberships/${organization}/${user}/${action}`);
      const foreseen = memberships.act(run.model, place, action);
      settle(run, foreseen, answer);
      return foreseen;
    }),
  );

const visitInvitation: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat({ max: 60 }), accepts: fc.boolean() })
  .map(({ pick, accepts }) =>
    command(
      `${accepts ? 'accept' : 'look at'} invitation ${pick}`,
      async (run, twins) => {
        const pending = Object.values(run.model.memberships).flatMap(({ invite }) => invite?.token ?? []);
        const token = choose(pending, run.seen.invitations, pick, 'unknown-token');
        const page = memberships.invitationPage(run.model, token);
        const foreseen: Foreseen = accepts ? page : { status: page.status };
        const method = accepts ? 'POST' : 'GET';
        settle(run, foreseen, await twins.call({ method, path: `/invitations/${token}`, token: null }));
        return foreseen;
      },
      ({ model }) =>
        isChosen(
          Object.values(model.memberships).flatMap(({ invite }) => invite ?? []),
          pick,
        ),
    ),
  );

export const MEMBERSHIP_COMMANDS = [
  createMembership,
  updateMembership,
  deleteMembership,
  resendInvite,
  membershipAction,
  visitInvitation,
];
