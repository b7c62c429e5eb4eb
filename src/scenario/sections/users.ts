/** Users of a scenario, with their profiles. */

import { defined } from '../../core/object.ts';
import { allRows, getRow, rowsBy } from '../../core/table.ts';
import { membershipsOf } from '../../domain/membership.ts';
import type { ExternalIdentityRow, MembershipRow, UserProfileRow, UserRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import type { RowControl, WrittenRow } from '../row-source.ts';
import { endOr, formatOptional, formatTime, momentOr } from '../times.ts';
import type { Writing } from '../writing.ts';
import { contract, described, extend, listOf, nullable, TOKEN, type ValueOf } from './members.ts';
import { MEMBERSHIP, memberships } from './memberships.ts';
import { CONNECTION, refer } from './references.ts';
import { type Section, showRow, withoutDerived } from './section.ts';

const PROFILE = extend(contract('UserProfile'), {
  id: TOKEN,
  external_identities: described(
    listOf(extend(contract('ExternalIdentity'), { connection_id: CONNECTION.schema })),
    'The user at identity providers.',
  ),
});

const FORM = extend(contract('User'), {
  external_id: contract('ExternalId'),
  user_profile: nullable(PROFILE, 'null for a user without one; made up where left out.'),
  memberships: listOf(MEMBERSHIP),
});

type ProfileForm = ValueOf<typeof PROFILE>;
type UserForm = RowControl & ValueOf<typeof FORM>;

export const users: Section<'users', UserForm> = {
  name: 'users',
  noun: 'user',
  title: ({ email }) => email,
  keys: ['email'],
  names: {
    organizations: (state, { id }) => members(state, (row) => row.organization_id === id),
    roles: (state, { id }) => members(state, (row) => row.role_ids.includes(id)),
    connections: ({ users: all }, { id }) =>
      [...allRows(all)].filter(({ user_profile }) =>
        user_profile?.external_identities?.some(({ connection_id }) => connection_id === id),
      ),
  },
  schema: FORM,
  joined: ['user_profile'],
  toRow: (writing, written) => {
    const { form, problem } = written;
    const { email, external_id } = form;
    if (email === undefined) return problem(undefined, 'a user needs an email');
    const id = writing.id(form.id, 'usr');
    const [namesake] =
      external_id === undefined ? [] : rowsBy(writing.state.users, 'external_id', external_id);
    if (namesake && namesake.id !== id)
      problem('external_id', `another user has the external_id "${external_id}"`);
    const create_time = momentOr(form.create_time, writing.clock.now);
    return {
      id,
      email,
      ...defined({ external_id, last_login_time: endOr(form.last_login_time) }),
      create_time,
      update_time: momentOr(form.update_time, create_time),
      metadata: form.metadata ?? {},
      ...(form.user_profile !== null && {
        user_profile: profileRow(writing, written, form.user_profile ?? {}),
      }),
    };
  },
  toForm: (state, { user_profile, ...row }, showing) => {
    const create_time = formatTime(row.create_time);
    // A change is put on the user and on each membership apart.
    const parts = showing.at ? membershipsOf(state, row.id) : [];
    return withoutDerived(
      {
        ...row,
        create_time,
        update_time: formatTime(row.update_time),
        last_login_time: formatOptional(row.last_login_time),
        user_profile: user_profile ? showProfile(state, user_profile) : null,
        memberships: parts.map((each) => showRow(memberships, state, each, showing)),
      },
      { update_time: create_time, metadata: {}, memberships: [] },
    );
  },
  part: {
    section: memberships,
    forms: ({ memberships: forms = [] }, { id }) => forms.map((form) => ({ ...form, user_id: id })),
    rowsOf: (state, { id }) => membershipsOf(state, id),
  },
};

/** Users with a membership of some kind. */
const members = (state: State, test: (row: MembershipRow) => boolean): readonly UserRow[] =>
  [...allRows(state.memberships)].filter(test).flatMap(({ user_id }) => getRow(state.users, user_id) ?? []);

const profileRow = (
  writing: Writing,
  written: WrittenRow<UserForm>,
  { external_identities = [], ...profile }: ProfileForm,
): UserProfileRow => {
  const { locale, email_verified = true, phone_number_verified = false } = profile;
  if (locale !== undefined && !isLocale(locale))
    written.problem(['user_profile', 'locale'], `"${locale}" is not a BCP 47 language tag such as en-US`);
  const name = profile.name ?? fullName(profile);
  return {
    ...profile,
    id: writing.id(profile.id, 'usp'),
    ...(name !== '' && { name }),
    email_verified,
    phone_number_verified,
    external_identities: external_identities.map((identity, index) => {
      const member = ['user_profile', 'external_identities', index, 'connection_id'];
      const connection = refer(writing, written, member, CONNECTION, identity.connection_id);
      const { created_time, last_login_time, last_synced_time, ...rest } = identity;
      return {
        ...(connection && { connection_provider: connection.provider, connection_type: connection.type }),
        ...rest,
        ...(connection && { connection_id: connection.id }),
        ...defined({
          created_time: endOr(created_time),
          last_login_time: endOr(last_login_time),
          last_synced_time: endOr(last_synced_time),
        }),
      };
    }),
  };
};

const fullName = ({ given_name, family_name }: ProfileForm): string =>
  [given_name, family_name].filter((part) => part !== undefined).join(' ');

const isLocale = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};

const showProfile = (state: State, { external_identities = [], ...profile }: UserProfileRow): ProfileForm =>
  withoutDerived(
    { ...profile, external_identities: external_identities.map((each) => showIdentity(state, each)) },
    {
      name: fullName(profile),
      email_verified: true,
      phone_number_verified: false,
      external_identities: [],
    },
  );

const showIdentity = (state: State, { connection_id, ...identity }: ExternalIdentityRow) =>
  withoutDerived({
    ...identity,
    connection_id: connection_id && CONNECTION.nameOf(state, connection_id),
    created_time: formatOptional(identity.created_time),
    last_login_time: formatOptional(identity.last_login_time),
    last_synced_time: formatOptional(identity.last_synced_time),
  });
