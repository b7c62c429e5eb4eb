/** Members and invitations of the scenario `default` and of rows, by settings and by the clock (behaviour M1 to M8). */
import { answer, type Changes, calls, event, inferred, later, NOTHING, opens, refused, type Step, sees, table,
  type Wanted } from '../../../src/conformance/case.ts';
import { DIRECT, GONE, isPending, MEMBER, member, NEW } from '../../../src/conformance/cases/memberships.ts';
import { absent, empty, exactly, like, not, whole } from '../../../src/conformance/matchers.ts';
import { control, given, only, sets, setsClock } from '../steps.ts';

const { createMembership: create, updateMembership: update, deleteMembership: remove, resendInvite: resend,
  listAuthenticationRequests } = calls;

const has = (...roles: string[]) => ({ roles: exactly(...roles.map((name) => ({ name }))) });
const gets = (...names: string[]) => ({ roles: names.map((name) => ({ name })) });
const inAcme = (name: string) => ({ organization_id: '{acme}', id: `{${name}}` });
const inGlobex = (name: string) => ({ organization_id: '{globex}', id: `{${name}}` });
/** Reads a member of acme by an update that changes nothing. */
const reads = (name: string, wanted: Wanted) => update(inAcme(name), wanted, NOTHING);
const does = (action: string, name: string, wanted?: Wanted, after?: Changes): Step =>
  control(`POST /memberships/acme/{${name}}/${action}`, undefined, wanted, after);
const is = (membership_status: string, more: object = {}) => ({ membership_status, ...more });
const status = (...parts: Parameters<typeof is>) => member(is(...parts));
const moved = (...parts: Parameters<typeof is>) => ({ membership: is(...parts) });
const verified = (email_verified: boolean) => ({ user_profile: { email_verified } });
const GRACE = { user_id: '{grace}' };
const inOutbox = sees('outbox', {});
/** The page of the first invitation that was mailed. */
const accepts = (status: number, after?: Changes) => opens('POST {emails.0.link}', answer(status), after);
const IS_USED = opens('GET {emails.0.link}', answer(410));
const LOGGED = event('authentication_request.created > SUCCESS');
const LINK = like(/^https?:\/\/.*\/invitations\/[\w-]{54}$/);
const [EMAIL_FAILS, NO_TTL] = [{ email_delivery: 'fail' }, { email_delivery: 'fail', invite_ttl: null }];
const NO_STACK = { ...NO_TTL, full_stack_authentication: false };
const row = (email: string, membership: object, more: object = {}) =>
  given({ users: [{ email, memberships: [{ organization_id: 'acme', ...membership }], ...more }] });
const REVOKED = row('grace@acme.test', is('INVITE_EXPIRED', { invite: { status: 'revoked' } }));
const ROLES = given({ roles: ['a', 'b', 'c'].map((name, nth) => ({ id: `role_${name}`, name,
  display_name: name.toUpperCase(), permissions: [`do_${name}`, 'all'], extends: ['b', 'c'][nth] })) });

const ROLE_A = { id: 'role_a', name: 'a', display_name: 'A' };
const ADMIN = { id: 'role_admin', name: 'admin', display_name: 'ADMIN' };
const SHOWN = { id: 'usr_100000000000000001', email: 'ada@acme.test', external_id: 'ext-ada' };
const PROFILE = { id: 'usp_ada', groups: ['staff', 'engineering'] };

/** A user with a pending invitation. */
const VALID = 'usr_100000000000000010';
/** Checks in the order of rule M7: whom to invite, the settings, and the first refusal. */
const RESENDS = [
  ['{acme}', GONE.id, NO_STACK, 'NOT_FOUND', 'user usr_999999999999999999'],
  [GONE.organization_id, GONE.id, NO_STACK, 'NOT_FOUND', 'user usr_999999999999999999'],
  [GONE.organization_id, '{user}', NO_STACK, 'NOT_FOUND', 'organization org_999999999999999999'],
  ['{acme}', '{user}', NO_STACK, 'NOT_FOUND', 'membership'],
  ['{acme}', '{noprofile}', NO_STACK, 'FAILED_PRECONDITION', 'full_stack'],
  ['{acme}', '{noprofile}', NO_TTL, 'FAILED_PRECONDITION', 'user_profile'],
  ['{acme}', '{margaret}', NO_TTL, 'NOT_FOUND', 'invitation'], ['{acme}', '{grace}', NO_TTL, 'NOT_FOUND', 'revoked'],
  ['{acme}', '{ada}', NO_TTL, 'FAILED_PRECONDITION', 'accepted'],
  ...[VALID, '{linus}'].flatMap((id) => [['{acme}', id, NO_TTL, 'FAILED_PRECONDITION', 'invite_ttl'],
    ['{acme}', id, EMAIL_FAILS, 'INTERNAL_ERROR', 'mail']] as const),
] as const;

export const MEMBERSHIPS = table([
  'createMembership',
  inferred('M1 M2', 'With an invitation or without, the membership has the roles of the body or the default role',
    [true, false].map((send_invitation_email) => [
      create({ ...NEW, send_invitation_email, ...gets('admin') }, member({ ...has('admin'),
        permissions: exactly('manage_users', 'read_projects', 'write_tasks') })), remove(NEW)]),
    [{}, { roles: [] }].map((roles) =>
      [create({ ...NEW, ...roles }, member({ ...has('member'), permissions: exactly('read_projects') })), remove(NEW)])),
  inferred('M1', 'Adding a user who is a member already, in any status, is refused and names the user',
    REVOKED, ['ada', 'linus', 'margaret', 'noprofile', 'grace'].map((name) =>
      create(inAcme(name), refused('RESOURCE_ALREADY_EXISTS', `{${name}}`)))),
  inferred('M2', 'One error names every role that does not exist, and lists those that do, also if the organization is unknown',
    create({ ...GONE, roles: [{ name: 'owner' }, { name: 'admin' }, { id: 'role_0' }, {}] },
      ['roles[0]', 'roles[2]', 'roles[3]']),
    ['name "owner"', 'member (role_100000000000000001, "Member"), admin (role_100000000000000002, "Admin")'].map((words) =>
      create({ ...GONE, ...gets('owner') }, refused('INVALID_ARGUMENT', words)))),
  inferred('M2', 'A role is found by the first of id, name and display_name; if another disagrees, it is refused',
    ROLES, [{ id: 'role_a' }, { name: 'a' }, { display_name: 'A' }, ROLE_A].map((role) =>
      update({ ...inAcme('ada'), roles: [role] }, member({ roles: exactly(whole(ROLE_A)) }))),
    [{ id: 'role_a', name: 'b' }, { id: 'role_a', display_name: 'B' }, { name: 'a', display_name: 'B' },
      { id: 'role_x' }].map((role) => update({ ...inAcme('ada'), roles: [role] }, ['roles[0]']))),
  inferred('M2', 'A role named twice is given once; permissions are the sorted union over all that a role extends',
    ROLES, create({ ...NEW, roles: [{ name: 'b' }, { name: 'a' }, { id: 'role_b' }] },
      member(has('b', 'a'))),
    update({ ...NEW, ...gets('b') }, member({ permissions: exactly('all', 'do_b', 'do_c') }))),
  inferred('M1 M7', 'If e-mail fails, so does an invitation, unless full-stack authentication is off',
    sets(EMAIL_FAILS), create(NEW, refused('INTERNAL_ERROR')), create(DIRECT), remove(NEW),
    sets({ full_stack_authentication: false }), create(NEW, status('PENDING_INVITE')),
    sees('outbox', { emails: exactly() })),
  inferred('M1', 'With the setting invite_ttl null, an invitation never expires',
    sets({ invite_ttl: null }), create(NEW, member({ expires_at: absent })),
    later('10000d'), update(NEW, status('PENDING_INVITE'))),
  inferred('M1', 'A user is shown with memberships, roles, effective permissions and times',
    only({
      organizations: [{ id: 'org_acme', name: 'acme', display_name: 'Acme Corporation' }],
      roles: [{ ...ADMIN, permissions: ['write_tasks', 'manage_users'] }],
      users: [{ ...SHOWN, create_time: '-30d', user_profile: { ...PROFILE, external_identities: [
        { created_time: 'now', last_login_time: '+1h', last_synced_time: '+2h' }, { is_social: true }] },
        memberships: [{ organization_id: 'acme', roles: ['admin'], created_at: '-3d', join_time: '-2d',
          accepted_at: '-2d', groups: ['engineering'], metadata: { team: 'core' },
          invite: { inviter_email: 'ada@acme.test' } }] }],
    }),
    update({ organization_id: 'org_acme', id: SHOWN.id }, whole({
      ...SHOWN, create_time: '{now-30d}', update_time: '{now-30d}', metadata: {},
      memberships: [{ organization_id: 'org_acme', name: 'acme', display_name: 'Acme Corporation', roles: [ADMIN],
        membership_status: 'ACTIVE', provisioning_method: 'invitation', inviter_email: 'ada@acme.test',
        permissions: ['manage_users', 'write_tasks'], metadata: { team: 'core' }, created_at: '{now-3d}',
        accepted_at: '{now-2d}', join_time: '{now-2d}', expires_at: '{now+12d}' }],
      user_profile: { ...PROFILE, email_verified: true, phone_number_verified: false, external_identities: [
        { created_time: '{now}', last_login_time: '{now+1h}', last_synced_time: '{now+2h}' }, { is_social: true }] },
    }))),
  'updateMembership',
  inferred('M3', 'An update replaces only what it sends; no roles, an empty body and the same values change nothing',
    create({ ...DIRECT, metadata: { team: 'core' }, ...gets('admin') }),
    [{ roles: [] }, {}, { ...gets('admin'), metadata: { team: 'core' } }].map((same) =>
      update({ ...NEW, ...same }, member(has('admin')), NOTHING)),
    update({ ...NEW, metadata: { area: 'eu' } }, member({ ...has('admin'), metadata: whole({ area: 'eu' }) })),
    update({ ...NEW, ...gets('member') }, member({ ...has('member'), metadata: whole({ area: 'eu' }) }))),
  inferred('M6 T9', 'A pending invitation past its end reads INVITE_EXPIRED, until the clock is set back',
    Object.entries({ '2026-03-13T11:59:59.999Z': 'PENDING_INVITE', '2026-03-13T12:00:00Z': 'INVITE_EXPIRED',
      '{now}': 'PENDING_INVITE' }).map(([now, one]) => [setsClock(now), reads('grace', status(one))])),
  inferred('M6', 'An expired invitation without an end ended a lifetime after it was made, or just now',
    Object.entries({ '-20d': '{now-5d}', '-15d': '{now}', '-3d': '{now}' }).map(([created_at, expires_at]) => [
      row('{unique}@acme.test', is('INVITE_EXPIRED', { created_at })),
      sees('state', { users: [{ email: '{unique}@acme.test', memberships: [{ expires_at }] }] }),
      given({ users: [{ email: '{unique}@acme.test', remove: true }] })])),
  inferred('M8', 'An e-mail address is verified once its user has joined, unless the row says otherwise',
    Object.entries({ ada: true, margaret: true, grace: false }).map(([name, is]) => reads(name, verified(is))),
    remove(inGlobex('margaret'), empty), reads('margaret', verified(true)), // a former member stays
    ['grace', 'ada'].map((name) => given({ users: [{ email: `${name}@acme.test`, ...verified(false) }] })),
    reads('ada', verified(false)), does('accept', 'grace'), reads('grace', verified(true)),
    remove(inAcme('grace')), sees('state', { users: [{ id: '{grace}', ...verified(true) }] })),
  'deleteMembership',
  inferred('M4', 'Removing a membership removes the groups that the user has by it, and leaves other memberships',
    given({ users: [{ email: 'ada@acme.test', user_profile: { groups: [] },
      memberships: [{ organization_id: 'acme', groups: ['engineering'] }, { organization_id: 'globex' }] }] }),
    update(inGlobex('ada'), { user_profile: { groups: exactly('engineering') } }), remove(inAcme('ada')),
    update(inGlobex('ada'), { user_profile: { groups: exactly() }, memberships: exactly({ name: 'globex' }) })),
  inferred('M4', 'The user record stays, unless a setting removes the user with the last membership',
    create(NEW), remove(NEW), sees('state', { users: [{ id: '{user}' }] }),
    sets({ delete_user_with_last_membership: true }), create(NEW), create(inGlobex('user')),
    remove(NEW), sees('state', { users: [{ id: '{user}' }] }), remove(inGlobex('user'), empty, [
      event('membership.deleted', { ...MEMBER, organization_id: '{globex}' }), event('user.deleted', { id: '{user}' })]),
    sees('state', { users: not([{ id: '{user}' }]) })),
  'resendInvite',
  inferred('M1 M7', 'An invitation is mailed; resent while valid, it keeps end and link, and the user gets a reminder',
    create({ ...NEW, inviter_email: 'suite@conformance.test' }), sees('outbox', { emails: exactly({ to: 'barbara@free.test',
      kind: 'invitation', subject: 'You are invited to join Acme Corporation', link: LINK }) }), later('1h'),
    resend(NEW, whole({ ...MEMBER, created_at: '{now}', inviter_email: 'suite@conformance.test', status: 'pending',
      expires_at: '{now+15d}', resent_at: '{now+1h}', resent_count: 1 })),
    resend(NEW, { resent_count: 2, expires_at: '{now+15d}' },
      [event('invite.resent PENDING_INVITE > PENDING_INVITE', MEMBER)]),
    sees('outbox', { emails: exactly({}, { kind: 'reminder' }, { to: 'barbara@free.test', kind: 'reminder',
      subject: 'Reminder: you are invited to join Acme Corporation', link: '{emails.0.link}' }) })),
  inferred('M7', 'An expired invitation that is resent becomes a new one, with a new end, link and count',
    create(NEW), resend(NEW), resend(NEW), inOutbox, later('15d'),
    resend(NEW, { status: 'pending', created_at: '{now+15d}', expires_at: '{now+30d}', resent_at: '{now+15d}',
      resent_count: 3 }, [event('invite.resent INVITE_EXPIRED > PENDING_INVITE', MEMBER)]),
    sees('outbox', { emails: exactly({}, {}, {}, { kind: 'invitation', link: not('{emails.0.link}') }) }),
    update(NEW, status('PENDING_INVITE')), accepts(410, NOTHING),
    opens('POST {emails.3.link}', answer(200), [event('invite.accepted', MEMBER), LOGGED]), IS_USED),
  inferred('M7', 'Of several reasons to refuse a resend, the first in the order of the rule is reported',
    REVOKED, row('valid@acme.test', is('PENDING_INVITE'), { id: VALID }),
    RESENDS.map(([organization_id, id, settings, error, words]) => [
      sets({ full_stack_authentication: true, invite_ttl: '15d', ...settings }),
      resend({ organization_id, id }, refused(error, words))]),
    does('deactivate', 'ada'), resend(inAcme('ada'), refused('FAILED_PRECONDITION', 'accepted'))),
  'listAuthenticationRequests',
  inferred('M8', 'Accepting an invitation makes the member ACTIVE, logs a SUCCESS and sets the last login time',
    resend(inAcme('grace')), inOutbox, later('1h'),
    ['GET', 'HEAD'].map((method) => opens(`${method} {emails.0.link}`, answer(200), NOTHING)),
    accepts(200, [event('invite.accepted PENDING_INVITE > ACTIVE', GRACE), LOGGED]),
    reads('grace', { last_login_time: '{now+1h}', memberships: exactly(is('ACTIVE', { accepted_at: '{now+1h}',
      join_time: '{now+1h}' })) }),
    listAuthenticationRequests({ page_size: 1 }, { authRequests: exactly(whole({ status: 'SUCCESS',
      auth_request_id: like(/^[\w-]{43,}$/), email: 'grace@acme.test', organization_id: '{acme}',
      environment_id: '{environment}', workflow: 'INVITATION', timestamp: '{now+1h}' })) }),
    IS_USED, accepts(200, NOTHING)),
 // a double click
  inferred('M8', 'The action accept does the same as the page of the invitation, also for a user without a profile',
    does('accept', 'grace', moved('ACTIVE', { organization_id: '{acme}' }),
      [event('invite.accepted PENDING_INVITE > ACTIVE'), LOGGED]),
    reads('grace', { last_login_time: '{now}' }), does('accept', 'noprofile'),
    reads('noprofile', { user_profile: absent, memberships: exactly(is('ACTIVE')) })),
  inferred('M8', 'With the setting initiate_login_url, the page of an accepted invitation leads there',
    sets({ initiate_login_url: 'https://app.test/login?x=1' }), create(NEW), inOutbox,
    opens('POST {emails.0.link}', { location: 'https://app.test/login', query: { x: '1' } })),
  inferred('M8', 'The actions activate and invite use up an invitation, and say when the member joined',
    resend(inAcme('grace')), inOutbox,
    does('activate', 'grace', moved('ACTIVE', { join_time: '{now}', accepted_at: '{now}' })), IS_USED,
    ['ada', 'linus', 'margaret', 'grace'].map((name) => does('invite', name, { membership: isPending }))),
  inferred('M8', 'The action expire ends a pending invitation at once, until the clock is set back',
    later('1h'), does('expire', 'grace', moved('INVITE_EXPIRED', { expires_at: '{now+1h}' }),
      [event('membership.updated PENDING_INVITE > INVITE_EXPIRED', GRACE)]),
    setsClock('{now}'), reads('grace', status('PENDING_INVITE'))),
  inferred('M8', 'Neither deactivate nor activate changes when a member joined',
    does('deactivate', 'ada', moved('INACTIVE', { join_time: '{now-29d}' })), later('1h'),
    does('activate', 'ada', moved('ACTIVE', { join_time: '{now-29d}', accepted_at: '{now-29d}' }),
      [event('membership.updated INACTIVE > ACTIVE')])),
  inferred('M8', 'The action deactivate revokes an open invitation',
    create(NEW), inOutbox, does('deactivate', 'user', moved('INACTIVE')), accepts(410, NOTHING),
    does('accept', 'user', refused('FAILED_PRECONDITION'))),
  inferred('M8', 'An action changes nothing if the membership already has the resulting status',
    Object.entries({ linus: 'expire', ada: 'activate', margaret: 'deactivate', grace: 'invite' }).map(
      ([name, action]) => does(action, name, {}, NOTHING))),
  inferred('M8', 'An action that the status does not allow is refused, and the error names the status',
    Object.entries({ 'accept ada': 'ACTIVE', 'accept linus': 'INVITE_EXPIRED', 'accept margaret': 'INACTIVE',
      'expire ada': 'ACTIVE', 'expire margaret': 'INACTIVE' }).map(([what, is]) => {
      const [action = '', name = ''] = what.split(' ');
      return does(action, name, refused('FAILED_PRECONDITION', `the membership is ${is}.`), NOTHING);
    }),
    does('activate', 'user', refused('NOT_FOUND')),
    control('POST /memberships/acme/usr_nobody/activate', undefined, refused('NOT_FOUND', 'usr_nobody'))),
]);
