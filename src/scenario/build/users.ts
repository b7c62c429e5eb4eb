/** Users of a scenario, with their profiles. */

import { defined } from '../../core/defined.ts';
import type { ConnectionRow, ExternalIdentityRow, UserProfileRow, UserRow } from '../../domain/rows.ts';
import type { Schemas } from '../../openapi/types.ts';
import type { Draft } from '../draft.ts';
import { endOr, momentOr } from '../times.ts';
import type { UserForm } from '../written.ts';
import { type Build, fault, idOr, lacking } from './build.ts';
import type { Built } from './organizations.ts';
import { createRegister, type Register } from './register.ts';

export interface BuiltUsers extends Built<UserRow> {
  /** Every user with the draft it came from, for its memberships. */
  readonly drafts: readonly { readonly draft: Draft<UserForm>; readonly user: UserRow }[];
}

export const buildUsers = (
  build: Build,
  drafts: readonly Draft<UserForm>[],
  connections: Register<ConnectionRow>,
): BuiltUsers => {
  const register = createRegister<UserRow>(build, {
    noun: 'user',
    section: 'users',
    id: (row) => row.id,
    member: 'email',
    natural: (row) => row.email.toLowerCase(),
    fold: (reference) => reference.toLowerCase(),
    beside: build.beside?.user,
  });
  const externalIds = new Set<string>();
  const built = drafts.map((draft) => {
    const { email = '', external_id } = draft.form;
    if (email === '') lacking(build, draft, ['email'], 'a user needs an email');
    if (external_id !== undefined && externalIds.has(external_id))
      fault(build, draft, 'external_id', `another user has the external_id "${external_id}"`);
    if (external_id !== undefined) externalIds.add(external_id);
    const user = userRow(build, draft, email, connections);
    register.add(draft, user);
    return { draft, user };
  });
  return { rows: built.map(({ user }) => user), register, drafts: built };
};

const userRow = (
  build: Build,
  draft: Draft<UserForm>,
  email: string,
  connections: Register<ConnectionRow>,
): UserRow => {
  const { form } = draft;
  const create_time = momentOr(form.create_time, build.clock.now);
  const last_login_time = endOr(form.last_login_time);
  return {
    id: idOr(build, form.id, 'usr'),
    email,
    ...(form.external_id !== undefined && { external_id: form.external_id }),
    create_time,
    update_time: momentOr(form.update_time, create_time),
    ...(last_login_time !== undefined && { last_login_time }),
    metadata: form.metadata ?? {},
    ...(form.user_profile !== null && {
      user_profile: profileRow(build, draft, form.user_profile ?? {}, connections),
    }),
  };
};

const profileRow = (
  build: Build,
  draft: Draft<UserForm>,
  { external_identities = [], ...profile }: Schemas['UserProfile'],
  connections: Register<ConnectionRow>,
): UserProfileRow => {
  const { given_name, family_name, locale } = profile;
  if (locale !== undefined && !isLocale(locale))
    fault(build, draft, ['user_profile', 'locale'], `"${locale}" is not a BCP 47 language tag such as en-US`);
  const name = profile.name ?? [given_name, family_name].filter((part) => part !== undefined).join(' ');
  return {
    ...profile,
    id: idOr(build, profile.id, 'usp'),
    ...(name !== '' && { name }),
    email_verified: profile.email_verified ?? true,
    phone_number_verified: profile.phone_number_verified ?? false,
    external_identities: external_identities.map((identity, index) =>
      identityRow(identity, (connection) =>
        connections.refer(draft, ['user_profile', 'external_identities', index, 'connection_id'], connection),
      ),
    ),
  };
};

const isLocale = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};

const identityRow = (
  { created_time, last_login_time, last_synced_time, ...identity }: Schemas['ExternalIdentity'],
  refer: (connection: string | undefined) => ConnectionRow | undefined,
): ExternalIdentityRow => {
  const connection = refer(identity.connection_id);
  return {
    ...(connection && { connection_provider: connection.provider, connection_type: connection.type }),
    ...identity,
    ...(connection && { connection_id: connection.id }),
    ...defined({
      created_time: endOr(created_time),
      last_login_time: endOr(last_login_time),
      last_synced_time: endOr(last_synced_time),
    }),
  };
};
