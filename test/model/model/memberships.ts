/** Memberships and invitations as the document's table and behaviour M1 to M8 have them. */
import {
  EXTERNAL_IDS,
  type Foreseen,
  hasEnded,
  type Invite,
  type Membership,
  type Model,
  ORGANIZATIONS,
  TTL,
  USERS,
  WITHOUT_PROFILE,
} from './world.ts';

/** Who is meant: a user by id, or by external id (behaviour M5). */
export interface Place {
  readonly organization: string;
  readonly user: string;
}

const BAD: Foreseen = { status: 400 };
const NOT_FOUND: Foreseen = { status: 404 };

export const userOf = (named: string): string => EXTERNAL_IDS[named] ?? named;
const keyOf = ({ organization, user }: Place): string => `${organization}/${userOf(user)}`;
export const memberAt = (model: Model, place: Place): Membership | undefined =>
  model.memberships[keyOf(place)];

const isKnown = ({ organization, user }: Place): boolean =>
  ORGANIZATIONS.some((id) => id === organization) && USERS.some((id) => id === userOf(user));

const put = (model: Model, membership: Membership): Model => ({
  ...model,
  memberships: { ...model.memberships, [keyOf(membership)]: membership },
});

/** Behaviour M6. */
export const statusOf = (model: Model, { standing, invite }: Membership): string => {
  if (standing !== 'INVITED') return standing;
  return invite && !invite.revoked && !hasEnded(invite.end, model) ? 'PENDING_INVITE' : 'INVITE_EXPIRED';
};

type InviteStatus = 'revoked' | 'accepted' | 'expired' | 'pending';

const inviteStatus = (model: Model, membership: Membership, invite: Invite): InviteStatus => {
  if (invite.revoked) return 'revoked';
  if (membership.joined) return 'accepted';
  return hasEnded(invite.end, model) ? 'expired' : 'pending';
};

const newInvite = (model: Model, token: string): Invite => ({
  token,
  replaced: [],
  end: model.settings.inviteTtl ? model.now + TTL.invite : undefined,
  resent: 0,
  revoked: false,
});

/** Behaviour M1, M2. */
export const create = (model: Model, place: Place, sendsEmail: boolean, fitRoles: boolean): Foreseen => {
  if (!fitRoles) return BAD;
  if (!isKnown(place)) return NOT_FOUND;
  if (memberAt(model, place)) return { status: 409 };
  const base = { organization: place.organization, user: userOf(place.user) };
  if (!sendsEmail) {
    const member: Membership = { ...base, standing: 'ACTIVE', joined: true, invite: undefined };
    return { status: 201, next: () => put(model, member) };
  }
  if (model.settings.mailFails) return { status: 500 };
  return {
    status: 201,
    next: ({ token }) =>
      put(model, { ...base, standing: 'INVITED', joined: false, invite: newInvite(model, token) }),
  };
};

/** Behaviour M3, M4: both need a member. */
export const change = (model: Model, place: Place, fitRoles: boolean): Foreseen => {
  if (!fitRoles) return BAD;
  return isKnown(place) && memberAt(model, place) ? { status: 200, next: () => model } : NOT_FOUND;
};

export const remove = (model: Model, place: Place): Foreseen => {
  if (!isKnown(place) || !memberAt(model, place)) return NOT_FOUND;
  const { [keyOf(place)]: _gone, ...memberships } = model.memberships;
  return { status: 200, next: () => ({ ...model, memberships }) };
};

/** Behaviour M7, check by check in its order. */
export const resend = (model: Model, place: Place): Foreseen => {
  const membership = isKnown(place) ? memberAt(model, place) : undefined;
  if (!membership) return NOT_FOUND;
  if (!model.settings.fullStack || membership.user === WITHOUT_PROFILE) return BAD;
  const { invite } = membership;
  const status = invite && inviteStatus(model, membership, invite);
  if (!invite || status === 'revoked') return NOT_FOUND;
  if (status === 'accepted' || !model.settings.inviteTtl) return BAD;
  if (model.settings.mailFails) return { status: 500 };
  const resent = invite.resent + 1;
  const next = (token: string): Invite =>
    status === 'pending'
      ? { ...invite, resent }
      : { ...newInvite(model, token), replaced: [...invite.replaced, invite.token], resent };
  return {
    status: 200,
    shows: { invite: { resent_count: resent, status: 'pending', user_id: membership.user } },
    next: ({ token }) => put(model, { ...membership, standing: 'INVITED', invite: next(token) }),
  };
};

export type Action = 'accept' | 'expire' | 'deactivate' | 'activate';

/** The control actions; a move to where the membership stands already changes nothing. */
export const act = (model: Model, place: Place, action: Action): Foreseen => {
  const membership = isKnown(place) ? memberAt(model, place) : undefined;
  if (!membership) return NOT_FOUND;
  const moved = MOVES[action](model, membership);
  return moved ? { status: 200, next: () => moved } : BAD;
};

const MOVES: Readonly<Record<Action, (model: Model, membership: Membership) => Model | undefined>> = {
  accept: (model, membership) => (isPending(model, membership) ? accept(model, membership) : undefined),
  expire: (model, membership) => {
    if (statusOf(model, membership) === 'INVITE_EXPIRED') return model;
    const { invite } = membership;
    if (!invite || !isPending(model, membership)) return undefined;
    return put(model, { ...membership, invite: { ...invite, end: model.now } });
  },
  deactivate: (model, membership) => {
    const { standing, invite } = membership;
    const revoked = standing === 'INVITED' && invite ? { ...invite, revoked: true } : invite;
    return put(model, { ...membership, standing: 'INACTIVE', invite: revoked });
  },
  activate: (model, membership) => put(model, { ...membership, standing: 'ACTIVE', joined: true }),
};

const isPending = (model: Model, membership: Membership): boolean =>
  membership.invite !== undefined && inviteStatus(model, membership, membership.invite) === 'pending';

/** Behaviour M8: a member, and an entry in the log. */
const accept = (model: Model, membership: Membership): Model => ({
  ...put(model, { ...membership, standing: 'ACTIVE', joined: true }),
  logEntries: model.logEntries + 1,
});

/** The invitation page of a token: open, gone, or unknown; a post on an open one accepts. */
export const invitationPage = (model: Model, token: string): Foreseen => {
  if (token === '') return { status: 404 }; // no mail was sent, so nobody knows the address
  for (const membership of Object.values(model.memberships)) {
    if (membership.invite?.replaced.includes(token)) return { status: 410 };
    if (membership.invite?.token === token)
      return isPending(model, membership)
        ? { status: 200, next: () => accept(model, membership) }
        : { status: 410 };
  }
  return NOT_FOUND;
};
