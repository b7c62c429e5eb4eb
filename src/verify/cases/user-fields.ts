/** What the description says of the fields of users, their memberships and profiles. */
import { textAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import { ACME } from '../default-rows.ts';
import { type Fields, fieldsOf, valueCites } from '../fields.ts';
import { absent, aSwitch, aText, aTime, including, type Pattern, someOf, someText } from '../pattern.ts';
import type { PromiseId } from '../promises.ts';

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
  define({
    name: 'The ids of a user and of its profile stay when the user changes',
    operationId: 'updateMembership',
    basis: 'promised',
    cites: ['user.id_stays', 'profile.id_stays'],
    needs: ['write', 'control'],
    arrange: ({ control }) => control.add({ users: [WHOLE] }),
    send: () => ({ path: { organization_id: ACME, id: USER }, body: {} }),
    status: 200,
    afterwards: [
      {
        send: () => ({ path: { organization_id: ACME, id: USER }, body: { metadata: { team: 'docs' } } }),
        status: 200,
        body: ({ last: { body } }) => ({
          user: {
            id: textAt(body, 'user', 'id'),
            user_profile: { id: textAt(body, 'user', 'user_profile', 'id') },
          },
        }),
      },
    ],
  }),
];
