/** Memberships and invitations as the document's table and behaviour M1 to M8 describe them. */
import {
  hasEnded,
  type Membership,
  ORGANIZATIONS,
  TTL,
  USERS,
  WITHOUT_PROFILE,
  type World,
} from './world.ts';

export interface Place {
  readonly organization: string;
  readonly user: string;
}

const find = (world: World, { organization, user }: Place): Membership | undefined =>
  world.memberships.find((one) => one.organization === organization && one.user === user);

/** Behaviour M6. */
export const statusOf = (world: World, membership: Membership): string => {
  if (membership.standing !== 'INVITED') return membership.standing;
  return inviteStatus(world, membership) === 'pending' ? 'PENDING_INVITE' : 'INVITE_EXPIRED';
};

const inviteStatus = (world: World, { invite, joined }: Membership) => {
  if (!invite || invite.revoked) return 'revoked';
  if (joined) return 'accepted';
  return hasEnded(invite.end, world) ? 'expired' : 'pending';
};

/** Behaviour M1, M2. @param token of the invitation, if one is sent */
export const create = (world: World, place: Place, sendsEmail: boolean, token: string): number => {
  const { organization, user } = place;
  if (!ORGANIZATIONS.includes(organization) || !USERS.includes(user)) return 404;
  if (find(world, place)) return 409;
  if (!sendsEmail) world.memberships.push({ organization, user, standing: 'ACTIVE', joined: true });
  else {
    const invite = { token, replaced: [], end: world.now + TTL.invite, resent: 0, revoked: false };
    world.memberships.push({ organization, user, standing: 'INVITED', joined: false, invite });
  }
  return 201;
};

/** Behaviour M3. */
export const change = (world: World, place: Place): number => (find(world, place) ? 200 : 404);

/** Behaviour M4. */
export const remove = (world: World, place: Place): number => {
  const membership = find(world, place);
  if (!membership) return 404;
  world.memberships.splice(world.memberships.indexOf(membership), 1);
  return 200;
};

/** Behaviour M7, with its checks in order. @returns the status, and how often the invitation was sent again */
export const resend = (world: World, place: Place, token: string): readonly [number, number?] => {
  const membership = find(world, place);
  if (!membership) return [404];
  if (membership.user === WITHOUT_PROFILE) return [400];
  const { invite } = membership;
  const status = inviteStatus(world, membership);
  if (!invite || status === 'revoked') return [404];
  if (status === 'accepted') return [400];
  if (status === 'expired') {
    invite.replaced.push(invite.token);
    Object.assign(invite, { token, end: world.now + TTL.invite });
  }
  invite.resent += 1;
  membership.standing = 'INVITED';
  return [200, invite.resent];
};

/** The control actions. An action changes nothing if its result holds already. */
export const act = (world: World, place: Place, action: string): number => {
  const membership = find(world, place);
  if (!membership) return 404;
  const { invite } = membership;
  const isPending = inviteStatus(world, membership) === 'pending';
  if (action === 'accept') {
    if (!isPending) return 400;
    accept(world, membership);
  } else if (action === 'expire') {
    if (statusOf(world, membership) === 'INVITE_EXPIRED') return 200;
    if (!invite || !isPending) return 400;
    invite.end = world.now;
  } else if (action === 'deactivate') {
    if (membership.standing === 'INVITED' && invite) invite.revoked = true;
    membership.standing = 'INACTIVE';
  } else Object.assign(membership, { standing: 'ACTIVE', joined: true });
  return 200;
};

/** Behaviour M8: the user becomes a member, and the log gets an entry. */
const accept = (world: World, membership: Membership): void => {
  Object.assign(membership, { standing: 'ACTIVE', joined: true });
  world.logEntries += 1;
};

/** The status of an invitation's page: 200 if open, 410 if ended, 404 if unknown. A post accepts an open invitation (behaviour M8). */
export const invitationPage = (world: World, token: string, accepts: boolean): number => {
  const isReplaced = world.memberships.some(({ invite }) => invite?.replaced.includes(token));
  const membership = world.memberships.find(({ invite }) => invite?.token === token);
  if (!membership) return isReplaced ? 410 : 404;
  const status = inviteStatus(world, membership);
  if (status === 'accepted' && membership.standing === 'ACTIVE' && accepts) return 200; // a double click
  if (status !== 'pending') return 410;
  if (accepts) accept(world, membership);
  return 200;
};
