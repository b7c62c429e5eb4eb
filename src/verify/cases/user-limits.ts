/** What no user can be; users come with scenarios, so that the control plane is where one can be refused. */
import { type Case, define } from '../case.ts';
import { MEMBERS } from '../default-rows.ts';
import type { PromiseId } from '../promises.ts';

const USER = 'usr_900000000000000001';
const EMAIL = 'limited@conformance.test';

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

export const USER_LIMIT_CASES = [
  profileLimit('profile.longest_given_name', 'given_name', 255),
  profileLimit('profile.longest_family_name', 'family_name', 255),
  profileLimit('profile.longest_preferred_username', 'preferred_username', 512),
  refusedUser(
    'No two users have one e-mail address',
    ['user.email_unique'],
    [],
    [{ id: MEMBERS.ACTIVE.id, email: 'grace@acme.test' }],
  ),
  refusedUser('No two users have one external id', [], [], [{ external_id: 'ext-ada' }]),
  refusedUser(
    'An address that is no e-mail address is none of a user',
    ['user.valid_email'],
    [],
    [{ email: 'nobody' }, { email: 'two@at@signs.test' }],
  ),
  refusedUser(
    'The locale of a user is a BCP 47 tag',
    ['profile.bcp_47'],
    ['en', 'en-GB', 'zh-Hant-TW'].map((locale) => ({ user_profile: { locale } })),
    ['en_GB', 'no locale'].map((locale) => ({ user_profile: { locale } })),
  ),
  refusedUser(
    'The phone number of a user is an E.164 number',
    ['profile.e_164'],
    ['+15550100001', '+442079460000'].map((phone_number) => ({ user_profile: { phone_number } })),
    ['5550100001', '+1 555 0100'].map((phone_number) => ({ user_profile: { phone_number } })),
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
