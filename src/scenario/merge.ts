/** One environment on top of another of the same name (interface.md, `extends`, and `PATCH .../state`). */
import type { Draft, EnvironmentDraft } from './draft.ts';
import type { Faults } from './fault.ts';
import { joinRows, type KeysOf, mergeMemberships, mergeParts, mergeRows } from './join.ts';
import type { AccountForm, MembershipForm, SectionName, Sections, UserForm } from './written.ts';

/** `over` put on top of `under`; what is wrong with that goes to `faults`. */
export const mergeEnvironments = (
  under: EnvironmentDraft,
  over: EnvironmentDraft,
  faults: Faults,
): EnvironmentDraft => {
  const join = <Name extends SectionName>(name: Name, keysOf: KeysOf<Sections[Name]>) =>
    joinRows(under.sections[name], over.sections[name], { section: name, keysOf, faults });
  const organizations = join('organizations', keys('id', 'name'));
  const connections = join('connections', keys('id', 'key_id'));
  const organization = naming(organizations, 'name');
  const connector = naming(connections, 'key_id');
  const users = joinRows(under.sections.users, over.sections.users, {
    section: 'users',
    keysOf: keys('id', 'email'),
    faults,
    merge: (one, other) => mergeUsers(one, other, organization, faults),
  });
  return {
    name: under.name,
    head: {
      form: { ...under.head.form, ...over.head.form },
      origins: [...under.head.origins, ...over.head.origins],
    },
    settings: { ...under.settings, ...over.settings },
    access_tokens: [...new Set([...under.access_tokens, ...over.access_tokens])],
    sections: {
      clients: join('clients', keys('client_id')),
      organizations,
      roles: join('roles', keys('id', 'name')),
      custom_providers: join('custom_providers', keys('id', 'identifier', 'display_name')),
      connections,
      users,
      connected_accounts: joinRows(under.sections.connected_accounts, over.sections.connected_accounts, {
        section: 'connected_accounts',
        keysOf: accountKeys(connector),
        faults,
        merge: mergeAccounts,
      }),
      authorization_links: join('authorization_links', keys('token')),
      verification_requests: join('verification_requests', keys('auth_request_id')),
      authentication_requests: join('authentication_requests', keys('auth_request_id')),
    },
  };
};

/** Natural keys that compare in any case (behaviour I6, P2). */
const FOLDED = new Set(['email', 'key_id', 'display_name']);

const keys =
  <Member extends string>(...members: readonly Member[]): KeysOf<{ readonly [Each in Member]?: string }> =>
  (form) =>
    members.flatMap((member) => {
      const value = form[member];
      return value === undefined ? [] : `${member}:${FOLDED.has(member) ? value.toLowerCase() : value}`;
    });

/** Tells one name for rows that can be named in two ways, so that two names of one row are equal. */
type Naming = (reference: string) => string;

const naming = <Member extends 'name' | 'key_id'>(
  drafts: readonly Draft<{ readonly id?: string } & { readonly [Each in Member]?: string }>[],
  member: Member,
): Naming => {
  const names = new Map<string, string>();
  for (const { form } of drafts) {
    const natural = form[member]?.toLowerCase();
    if (form.id !== undefined && natural !== undefined) names.set(form.id, natural);
  }
  return (reference) => names.get(reference) ?? reference.toLowerCase();
};

const accountKeys =
  (connector: Naming): KeysOf<Sections['connected_accounts']> =>
  (form) => {
    const named = form.connector ?? form.connection_id;
    const pair =
      named !== undefined && form.identifier !== undefined
        ? [`pair:${connector(named)}/${form.identifier}`]
        : [];
    return form.id === undefined ? pair : [`id:${form.id}`, ...pair];
  };

/** What an account was beside its former status says nothing about the new one. */
const mergeAccounts = (under: Draft<AccountForm>, over: Draft<AccountForm>): Draft<AccountForm> => {
  const { standing, ...rest } = under.form;
  const { status = under.form.status } = over.form;
  const goesOn = status === under.form.status || status === 'PENDING_VERIFICATION';
  return mergeRows(goesOn ? under : { ...under, form: rest }, over);
};

const mergeUsers = (
  under: Draft<UserForm>,
  over: Draft<UserForm>,
  organization: Naming,
  faults: Faults,
): Draft<UserForm> => {
  const user_profile = mergeParts(under.form.user_profile, over.form.user_profile);
  const membershipKeys = (form: MembershipForm): readonly string[] => {
    const named = form.organization_id ?? form.name;
    return named === undefined ? [] : [organization(named)];
  };
  return {
    form: { ...under.form, ...over.form, ...(user_profile !== undefined && { user_profile }) },
    origins: [...under.origins, ...over.origins],
    memberships: joinRows(under.memberships ?? [], over.memberships ?? [], {
      section: 'users',
      keysOf: membershipKeys,
      faults,
      merge: mergeMemberships,
    }),
  };
};
