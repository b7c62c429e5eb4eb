/** Organizations, roles and API clients of a scenario. */
import { defined } from '../../core/defined.ts';
import type { ClientRow, OrganizationRow, RoleRow } from '../../domain/rows.ts';
import { type Draft, isKnown } from '../draft.ts';
import type { ClientForm, OrganizationForm, RoleForm } from '../written.ts';
import { type Build, fault, idOr, lacking, readable } from './build.ts';
import { createRegister, type Register } from './register.ts';

export const buildClients = (build: Build, drafts: readonly Draft<ClientForm>[]): readonly ClientRow[] => {
  const seen = new Set<string>();
  return drafts.flatMap((draft) => {
    const { client_id, client_secret, name, scope } = draft.form;
    if (client_id === undefined || client_secret === undefined) {
      lacking(build, draft, ['client_id', 'client_secret'], 'a client needs client_id and client_secret');
      return [];
    }
    if (seen.has(client_id))
      fault(build, draft, 'client_id', `another client has the client_id ${client_id}`);
    seen.add(client_id);
    return defined({ client_id, client_secret, name, scope });
  });
};

export interface Built<Row> {
  readonly rows: readonly Row[];
  readonly register: Register<Row>;
}

export const buildOrganizations = (
  build: Build,
  drafts: readonly Draft<OrganizationForm>[],
): Built<OrganizationRow> => {
  const register = createRegister<OrganizationRow>(build, {
    noun: 'organization',
    section: 'organizations',
    id: (row) => row.id,
    member: 'name',
    natural: (row) => row.name,
  });
  const rows = drafts.map((draft) => {
    const { form } = draft;
    const name = form.name ?? derivedName(draft);
    if (name === '') lacking(build, draft, ['name'], 'an organization needs a name');
    const row = { id: idOr(build, form.id, 'org'), name, display_name: form.display_name ?? readable(name) };
    register.add(draft, row);
    return row;
  });
  return { rows, register };
};

const derivedName = (draft: Draft<OrganizationForm>): string =>
  (isKnown(draft, 'name') && draft.form.display_name?.toLowerCase().replace(/[^a-z0-9]+/g, '-')) || '';

export const buildRoles = (build: Build, drafts: readonly Draft<RoleForm>[]): Built<RoleRow> => {
  const register = createRegister<RoleRow>(build, {
    noun: 'role',
    section: 'roles',
    id: (row) => row.id,
    member: 'name',
    natural: (row) => row.name,
  });
  // Where no row speaks of a default, the first role is it (behaviour M2).
  const isSaid = drafts.some(({ form }) => form.default !== undefined);
  const named = drafts.map((draft, index) => {
    const { id, name = '', display_name, permissions = [], default: isDefault } = draft.form;
    if (name === '') lacking(build, draft, ['name'], 'a role needs a name');
    const row: RoleRow = {
      id: idOr(build, id, 'role'),
      name,
      display_name: display_name ?? readable(name),
      permissions,
      extends: [],
      default: isSaid ? isDefault === true : index === 0,
    };
    register.add(draft, row);
    return { draft, row };
  });
  refuseSecondDefault(build, named);
  const rows = named.map(({ draft, row }) => {
    const { extends: written = [] } = draft.form;
    const extended = [written]
      .flat()
      .map((role, index) =>
        register.refer(draft, Array.isArray(written) ? ['extends', index] : 'extends', role),
      );
    return { ...row, extends: extended.flatMap((role) => role?.id ?? []) };
  });
  refuseCircles(build, rows, named);
  return { rows, register };
};

type Named = readonly { readonly draft: Draft<RoleForm>; readonly row: RoleRow }[];

const refuseSecondDefault = (build: Build, named: Named): void => {
  const [first, ...others] = named.filter(({ row }) => row.default);
  for (const { draft } of others)
    fault(build, draft, 'default', `only one role can be the default; ${first?.row.name} is it`);
};

const refuseCircles = (build: Build, rows: readonly RoleRow[], named: Named): void => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { draft, row } of named) {
    const reached = new Set(byId.get(row.id)?.extends);
    // A set that grows while it is walked: everything that this role has the permissions of.
    for (const id of reached) for (const next of byId.get(id)?.extends ?? []) reached.add(next);
    if (reached.has(row.id)) fault(build, draft, 'extends', `the role ${row.name} extends itself in the end`);
  }
};
