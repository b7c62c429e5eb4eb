/** Users: their fields, as a reply about one of their memberships shows them, and what no user can be. */
import { type Case, group, inferred, promised } from '../case.ts';
import { textAt } from '../http.ts';
import { absent, aSwitch, aText, aTime, including, type Pattern, someOf, someText } from '../pattern.ts';
import { ACME, MEMBERS, pairs } from '../samples.ts';

const USER = 'usr_900000000000000001';

/** An update that sends nothing answers with the user as it is (behaviour M3). */
const SHOW = { path: { organization_id: ACME, id: USER }, body: {} };

const aUser = (membership: object, more: object = {}) => ({
  id: USER,
  email: 'whole@conformance.test',
  memberships: [{ organization_id: 'acme', membership_status: 'ACTIVE', ...membership }],
  ...more,
});

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

/** A user with everything that a user can have. */
const WHOLE = aUser(MEMBERSHIP, {
  external_id: 'ext-whole',
  last_login_time: '-1h',
  metadata: { team: 'core' },
  user_profile: { ...PROFILE, external_identities: [IDENTITY] },
});

/** A user that is added is shown like this. */
const shown = (name: string, user: object, pattern: Pattern) =>
  promised(name, [], async (api) => {
    await api.addRows({ users: [user] });
    await api.send(SHOW).shows(pattern);
  });

const FIELDS = group({ about: 'updateMembership', needs: ['write', 'control'] }, [
  shown('A user has its fields', WHOLE, {
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
  shown('A membership has its fields', WHOLE, {
    memberships: [
      {
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
      },
    ],
  }),
  shown('A role has its fields', WHOLE, {
    memberships: [{ roles: [{ id: someText, name: 'admin', display_name: someText }] }],
  }),
  shown('A profile has its fields', WHOLE, {
    user_profile: {
      ...PROFILE,
      id: someText,
      email_verified: aSwitch,
      external_identities: someOf({}),
    },
  }),
  shown('An identity at a provider has its fields', WHOLE, {
    user_profile: {
      external_identities: [
        {
          ...IDENTITY,
          connection_id: someText,
          created_time: aTime,
          last_login_time: aTime,
          last_synced_time: aTime,
        },
      ],
    },
  }),
  ...['ACTIVE', 'INACTIVE', 'PENDING_INVITE', 'INVITE_EXPIRED'].map((membership_status) =>
    shown(
      `The membership_status of a membership can be ${membership_status}`,
      aUser({ membership_status, ...(membership_status === 'INVITE_EXPIRED' && { expires_at: '-1d' }) }),
      { memberships: [{ membership_status }] },
    ),
  ),
  ...['jit_using_sso', 'allowed_email_domain', 'org_creator', 'direct_provision', 'invitation'].map(
    (provisioning_method) =>
      shown(
        `The provisioning_method of a membership can be ${provisioning_method}`,
        aUser({ provisioning_method }),
        { memberships: [{ provisioning_method }] },
      ),
  ),
  shown('A profile can do without a phone number', aUser({}, { user_profile: { given_name: 'Ada' } }), {
    user_profile: { given_name: 'Ada', phone_number: absent },
  }),
  shown('Permissions are those of the role and of what it extends', WHOLE, {
    memberships: [{ permissions: including('read_projects') }],
  }),
  promised('The ids of a user and of its profile stay when the user changes', [], async (api) => {
    await api.addRows({ users: [WHOLE] });
    const { body } = await api.send(SHOW).succeeds();
    await api.send({ ...SHOW, body: { metadata: { team: 'docs' } } }).shows({
      id: textAt(body, 'user', 'id'),
      user_profile: { id: textAt(body, 'user', 'user_profile', 'id') },
    });
  }),
]);

/** Users come with scenarios, so that the control plane is where one can be refused. */
const limited = (
  says: typeof promised,
  name: string,
  { taken = [], refused }: { readonly taken?: readonly object[]; readonly refused: readonly object[] },
) =>
  says(name, ['X3'], async (api) => {
    const users = (row: object) => ({ users: [{ id: USER, email: 'limited@conformance.test', ...row }] });
    for (const row of taken) await api.addRows(users(row));
    for (const row of refused) await api.refusesRows(users(row), 'INVALID_ARGUMENT');
  });

const profiles = (member: string, values: readonly unknown[]) =>
  values.map((value) => ({ user_profile: { [member]: value } }));

const LIMITS = group({ about: 'updateMembership', needs: ['write', 'control'] }, [
  ...Object.entries({ given_name: 255, family_name: 255, preferred_username: 512 }).map(([member, longest]) =>
    limited(promised, `The ${member} of a user has ${longest} characters at most`, {
      taken: profiles(member, ['x'.repeat(longest)]),
      refused: profiles(member, ['x'.repeat(longest + 1)]),
    }),
  ),
  limited(promised, 'No two users have one e-mail address', {
    refused: [{ id: MEMBERS.ACTIVE.id, email: 'grace@acme.test' }],
  }),
  limited(inferred, 'No two users have one external id', { refused: [{ external_id: 'ext-ada' }] }),
  limited(promised, 'An address that is no e-mail address is none of a user', {
    refused: [{ email: 'nobody' }, { email: 'two@at@signs.test' }],
  }),
  limited(promised, 'The locale of a user is a BCP 47 tag', {
    taken: profiles('locale', ['en', 'en-GB', 'zh-Hant-TW']),
    refused: profiles('locale', ['en_GB', 'no locale']),
  }),
  limited(promised, 'The phone number of a user is an E.164 number', {
    taken: profiles('phone_number', ['+15550100001', '+442079460000']),
    refused: profiles('phone_number', ['5550100001', '+1 555 0100']),
  }),
  limited(promised, 'Custom attributes have the limits of metadata', {
    taken: profiles('custom_attributes', [pairs(20), { abc: 'v' }, { ['k'.repeat(25)]: 'x'.repeat(256) }]),
    refused: profiles('custom_attributes', [
      pairs(21),
      { ab: 'v' },
      { ['k'.repeat(26)]: 'v' },
      { abc: '' },
      { abc: 'x'.repeat(257) },
    ]),
  }),
]);

export const USER_CASES: readonly Case[] = [...FIELDS, ...LIMITS];
