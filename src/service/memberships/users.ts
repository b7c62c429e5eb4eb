/** Users of a scenario, with their profiles and memberships. */
import { defined } from '../../engine/core/object.ts';
import { rowsBy } from '../../engine/core/table.ts';
import {
  described,
  extend,
  type FormOf,
  listSchema,
  nullable,
  TOKEN,
  type ValueOf,
} from '../../engine/scenario/schema.ts';
import { findNamed, nameOf, type WrittenRow } from '../../engine/scenario/section.ts';
import { endText, type FormatTime } from '../../engine/scenario/times.ts';
import { CONNECTION } from '../connections.ts';
import type { ConnectionRow, ExternalIdentityRow, State, UserProfileRow } from '../state.ts';
import { contract, type NounSection, type OpenNouns } from '../types.ts';
import { membershipsOf } from './operations.ts';
import { MEMBERSHIP, membershipsSection } from './scenario.ts';

const PROFILE = extend(contract('UserProfile'), {
  id: TOKEN,
  external_identities: described(
    listSchema(extend(contract('ExternalIdentity'), { connection_id: CONNECTION.schema })),
    'The identities of the user at identity providers.',
  ),
});

const FORM = extend(contract('User'), {
  external_id: contract('ExternalId'),
  user_profile: nullable(
    PROFILE,
    'The profile, or null for a user without one. If left out, the mock makes one up.',
  ),
  memberships: listSchema(MEMBERSHIP),
});

type ProfileForm = ValueOf<typeof PROFILE>;
type UserForm = FormOf<typeof FORM>;

export const usersSection: NounSection<'users', UserForm> = {
  name: 'users',
  noun: 'user',
  example: '{ email: ada@acme.test }',
  keys: ['email'],
  names: ({ user_profile }) =>
    (user_profile?.external_identities ?? []).map(({ connection_id }) => `connections/${connection_id}`),
  schema: FORM,
  joined: ['user_profile'],
  toRow: (open, written) => {
    const { form, problem } = written;
    const { email, external_id } = form;
    if (email === undefined) return problem(undefined, 'a user needs an email');
    const id = open.id(form.id, 'usr');
    const [namesake] = external_id === undefined ? [] : rowsBy(open.state.users, 'external_id', external_id);
    if (namesake && namesake.id !== id)
      problem('external_id', `another user has the external_id "${external_id}"`);
    const create_time = open.momentOr(form.create_time, open.now);
    return {
      id,
      email,
      ...defined({ external_id, last_login_time: open.endOr(form.last_login_time) }),
      create_time,
      update_time: open.momentOr(form.update_time, create_time),
      metadata: form.metadata ?? {},
      ...(form.user_profile !== null && { user_profile: profileRow(open, written, form.user_profile ?? {}) }),
    };
  },
  toForm: (state, { user_profile: profile, ...row }, { time }) => {
    const identities = profile?.external_identities ?? [];
    return {
      ...row,
      create_time: time(row.create_time),
      update_time: time(row.update_time),
      last_login_time: endText(time, row.last_login_time),
      user_profile: profile
        ? { ...profile, external_identities: identities.map((each) => showIdentity(state, each, time)) }
        : null,
    };
  },
  derived: (_, { user_profile: profile }) => ({ user_profile: profile && { name: fullName(profile) } }),
  part: {
    section: membershipsSection,
    forms: ({ memberships: forms = [] }, { id }) => forms.map((form) => ({ ...form, user_id: id })),
    rowsOf: (state, { id }) => membershipsOf(state, id),
  },
};

const PROFILE_DEFAULTS = { phone_number_verified: false, external_identities: [] };

const profileRow = (
  open: OpenNouns,
  written: WrittenRow<UserForm>,
  { external_identities = [], ...profile }: ProfileForm,
): UserProfileRow => {
  const { locale } = profile;
  if (locale !== undefined && !isLocale(locale))
    written.problem(['user_profile', 'locale'], `"${locale}" is not a BCP 47 language tag such as en-US`);
  const name = profile.name ?? fullName(profile);
  return {
    ...PROFILE_DEFAULTS,
    ...profile,
    id: open.id(profile.id, 'usp'),
    ...(name !== '' && { name }),
    external_identities: external_identities.map((identity, index) => {
      const member = ['user_profile', 'external_identities', index, 'connection_id'];
      const connection = findNamed(open, written, member, CONNECTION, identity.connection_id);
      return identityRow(open, identity, connection);
    }),
  };
};

type IdentityForm = NonNullable<ProfileForm['external_identities']>[number];

const identityRow = (open: OpenNouns, identity: IdentityForm, connection?: ConnectionRow) => {
  const { created_time, last_login_time, last_synced_time, ...rest } = identity;
  return {
    ...rest,
    ...(connection && {
      connection_id: connection.id,
      connection_provider: connection.provider,
      connection_type: connection.type,
    }),
    ...defined({
      created_time: open.endOr(created_time),
      last_login_time: open.endOr(last_login_time),
      last_synced_time: open.endOr(last_synced_time),
    }),
  };
};

const fullName = ({ given_name, family_name }: UserProfileRow): string =>
  [given_name, family_name].filter((part) => part !== undefined).join(' ');

const isLocale = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};

const showIdentity = (state: State, identity: ExternalIdentityRow, time: FormatTime) => {
  const { connection_id, created_time, last_login_time, last_synced_time, ...row } = identity;
  return {
    ...row,
    ...(connection_id !== undefined && { connection_id: nameOf(CONNECTION, state, connection_id) }),
    ...(created_time !== undefined && { created_time: time(created_time) }),
    ...(last_login_time !== undefined && { last_login_time: time(last_login_time) }),
    ...(last_synced_time !== undefined && { last_synced_time: time(last_synced_time) }),
  };
};
