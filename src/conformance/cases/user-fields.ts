/** What the description says of the fields of users, their memberships and profiles. */
import { type Case, define } from '../case.ts';
import { type Fields, fieldsOf, valueCites } from '../fields.ts';
import { absent, aSwitch, aText, aTime, including, type Pattern, someOf, someText } from '../pattern.ts';
import type { PromiseId } from '../promises.ts';

const ACME = 'org_100000000000000001';
const USER = 'usr_900000000000000001';
const EMAIL = 'whole@conformance.test';

const IDENTITY = {
  connection_id: 'acme-oidc',
  connection_provider: 'IDP_SIMULATOR',
  connection_type: 'OIDC',
  connection_user_id: 'ada-elsewhere',
  created_time: '-1d',
  is_social: false,
  last_login_time: '-1d',
  last_synced_time: '-1d',
};

const PROFILE = {
  given_name: 'Ada',
  family_name: 'Lovelace',
  name: 'Ada Lovelace',
  preferred_username: 'ada',
  gender: 'whatever she says',
  locale: 'en-GB',
  phone_number: '+15550100001',
  phone_number_verified: true,
  email_verified: false,
  picture: 'https://client.test/ada.png',
  groups: ['staff'],
  custom_attributes: { desk: 'one' },
  metadata: { raw: { of: ['any', 'form'] } },
};

const MEMBERSHIP = {
  roles: ['admin'],
  metadata: { team: 'core' },
  inviter_email: 'grace@acme.test',
  accepted_at: '-1d',
  join_time: '-1d',
  created_at: '-2d',
  expires_at: '+13d',
};

const aUser = (membership: object, more: object = {}) => ({
  id: USER,
  email: EMAIL,
  memberships: [{ organization_id: 'acme', membership_status: 'ACTIVE', ...membership }],
  ...more,
});

const WHOLE = aUser(MEMBERSHIP, {
  external_id: 'ext-whole',
  last_login_time: '-1h',
  metadata: { team: 'core' },
  user_profile: { ...PROFILE, external_identities: [IDENTITY] },
});

/** An update that sends nothing answers with the user as it is (behaviour M3). */
const userCase = (name: string, cites: readonly PromiseId[], row: object, pattern: Pattern): Case =>
  define({
    name,
    operationId: 'updateMembership',
    basis: 'promised',
    cites,
    needs: ['write', 'control'],
    arrange: ({ control }) => control.add({ users: [row] }),
    send: () => ({ path: { organization_id: ACME, id: USER }, body: {} }),
    status: 200,
    body: { user: pattern },
  });

const shown = (name: string, { cites, pattern }: Fields, place: (fields: Pattern) => Pattern): Case =>
  userCase(name, cites, WHOLE, place(pattern));

const inMembership = (fields: Pattern): Pattern => ({ memberships: [fields] });
const inProfile = (fields: Pattern): Pattern => ({ user_profile: fields });

const membershipValue = (field: 'membership_status' | 'provisioning_method') => (value: string) =>
  userCase(
    `The ${field} of a membership can be ${value}`,
    valueCites('membership', field, [value]),
    aUser({ [field]: value, ...(value === 'INVITE_EXPIRED' && { expires_at: '-1d' }) }),
    inMembership({ [field]: value }),
  );

/** Users come with scenarios alone, so that the control plane is where a user can be refused. */
const refusedUser = (
  name: string,
  cites: readonly PromiseId[],
  taken: readonly object[],
  refused: readonly object[],
): Case => {
  const step = (status: number) => (row: object) => ({
    send: () => ({
      control: {
        method: 'PATCH' as const,
        path: 'state',
        body: { users: [{ id: USER, email: EMAIL, ...row }] },
      },
    }),
    status,
  });
  const [first, ...afterwards] = [...taken.map(step(200)), ...refused.map(step(400))];
  if (!first) throw new Error(`The case "${name}" sends nothing.`);
  return define({
    name,
    operationId: 'updateMembership',
    basis: cites.length > 0 ? 'promised' : 'inferred',
    cites: [...cites, 'X3'],
    needs: ['write', 'control'],
    ...first,
    afterwards,
  });
};

const profileLimit = (promise: PromiseId, field: string, longest: number): Case =>
  refusedUser(
    `The ${field} of a user has ${longest} characters at most`,
    [promise],
    [{ user_profile: { [field]: 'x'.repeat(longest) } }],
    [{ user_profile: { [field]: 'x'.repeat(longest + 1) } }],
  );

const attributes = (custom_attributes: object) => ({ user_profile: { custom_attributes } });

const pairs = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, 'value']));

export const USER_FIELD_CASES = [
  shown(
    'A user has its fields',
    fieldsOf('user', {
      id: USER,
      email: aText(/@/),
      external_id: 'ext-whole',
      create_time: aTime,
      update_time: aTime,
      last_login_time: aTime,
      metadata: { team: 'core' },
      memberships: someOf({}),
      user_profile: {},
    }),
    (fields) => fields,
  ),
  shown(
    'A membership has its fields',
    fieldsOf('membership', {
      organization_id: ACME,
      name: 'acme',
      display_name: 'Acme Corporation',
      inviter_email: 'grace@acme.test',
      created_at: aTime,
      expires_at: aTime,
      accepted_at: aTime,
      join_time: aTime,
      metadata: { team: 'core' },
      permissions: someOf(someText),
      roles: someOf({}),
    }),
    inMembership,
  ),
  shown(
    'A role has its fields',
    fieldsOf('role', { id: someText, name: 'admin', display_name: someText }),
    (fields) => inMembership({ roles: [fields] }),
  ),
  shown(
    'A profile has its fields',
    fieldsOf('profile', {
      ...PROFILE,
      id: someText,
      email_verified: aSwitch,
      external_identities: someOf({}),
    }),
    inProfile,
  ),
  shown(
    'An identity at a provider has its fields',
    fieldsOf('external_identity', {
      ...IDENTITY,
      connection_id: someText,
      created_time: aTime,
      last_login_time: aTime,
      last_synced_time: aTime,
    }),
    (fields) => inProfile({ external_identities: [fields] }),
  ),
  ...['ACTIVE', 'INACTIVE', 'PENDING_INVITE', 'INVITE_EXPIRED'].map(membershipValue('membership_status')),
  ...['jit_using_sso', 'allowed_email_domain', 'org_creator', 'direct_provision', 'invitation'].map(
    membershipValue('provisioning_method'),
  ),
  userCase(
    'A profile can do without a phone number',
    ['profile.phone_number_optional'],
    aUser({}, { user_profile: { given_name: 'Ada' } }),
    inProfile({ given_name: 'Ada', phone_number: absent }),
  ),
  userCase(
    'Permissions are those of the role and of what it extends',
    ['membership.permissions_inherited'],
    WHOLE,
    inMembership({ permissions: including('read_projects') }),
  ),
  profileLimit('profile.longest_given_name', 'given_name', 255),
  profileLimit('profile.longest_family_name', 'family_name', 255),
  profileLimit('profile.longest_preferred_username', 'preferred_username', 512),
  refusedUser(
    'No two users have one e-mail address',
    ['user.email_unique'],
    [],
    [{ id: 'usr_100000000000000001', email: 'grace@acme.test' }],
  ),
  refusedUser('No two users have one external id', [], [], [{ external_id: 'ext-ada' }]),
  refusedUser(
    'An address that is no e-mail address is none of a user',
    ['user.valid_email'],
    [],
    [{ email: 'nobody' }, { email: 'two@at@signs.test' }],
  ),
  refusedUser(
    'Custom attributes have the limits of metadata',
    ['metadata.custom_attributes'],
    [pairs(20), { abc: 'v' }, { ['k'.repeat(25)]: 'x'.repeat(256) }].map(attributes),
    [pairs(21), { ab: 'v' }, { ['k'.repeat(26)]: 'v' }, { abc: '' }, { abc: 'x'.repeat(257) }].map(
      attributes,
    ),
  ),
];
