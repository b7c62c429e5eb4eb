/** The form for a row. It writes the row into the environment as a part of a scenario. */
import { call, type KindName, type ResourcePage, type Row, rowsOf, textOf, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { readBodySchema, readRowSchema } from '../live/schemas.ts';
import { SchemaForm } from '../parts/schema-form.tsx';
import type { Schema } from '../reference/document.ts';
import { idOf, KINDS } from './kinds.ts';

/** Members that the form leaves out, because the menu of a status changes them. */
const BY_MENU = ['status', 'membership_status', 'stored_status'];

interface RowFormProps {
  readonly kind: KindName;
  readonly row?: Row;
  readonly onDone: (id: string) => void;
}

/**
 * @param row the row to edit; absent for a new row
 * @param onDone called with the row's id when the form closes
 */
export const RowForm = ({ kind, row, onDone }: RowFormProps) => {
  const { name: environment } = useEnvironment();
  const { one, form = [], made } = KINDS[kind];
  const suggest = useLoaded(environment, () => readSuggestions(environment));
  const save = async (change: Row): Promise<string> => {
    const reply = await (made
      ? call<Row>('POST', within(environment, made[1]), change)
      : call<Row>('PATCH', within(environment, '/state'), toState(kind, { ...keyOf(kind, row), ...change })));
    onDone(row ? idOf(KINDS[kind], row) : await findNew(environment, kind, change, reply));
    return row ? `The ${one} was changed.` : `The ${one} was made.`;
  };
  return (
    <SchemaForm
      read={() => (made ? readBodySchema(made[0]) : readSchema(kind))}
      first={form}
      hidden={BY_MENU}
      action={row ? 'Save' : `Make the ${one}`}
      onSend={save}
      row={row?.roles === undefined ? row : { ...row, roles: rowsOf(row.roles).map((role) => role.name) }}
      suggest={suggest.value}
    />
  );
};

/** The id of the row that was just made: from the reply, or found by the row's names. "" if neither works. */
const findNew = async (environment: string, kind: KindName, change: Row, reply: Row): Promise<string> => {
  if (typeof reply.link === 'string') return reply.link.split('/').at(-1) ?? '';
  const logged = reply.authentication_request;
  if (typeof logged === 'object' && logged !== null) return idOf(KINDS[kind], logged as Row);
  const query = NAMES.map((name) => textOf(change[name]))
    .filter(Boolean)
    .slice(0, 2)
    .join(' ');
  const search = new URLSearchParams({ query, page_size: '200' });
  const { rows } = await call<ResourcePage>('GET', within(environment, `/resources/${kind}?${search}`));
  const found = rows.at(-1);
  return found ? idOf(KINDS[kind], found) : '';
};

/** Members by which users search for a row. */
const NAMES = ['identifier', 'connector', 'email', 'key_id', 'path', 'display_name', 'name', 'user_id'];

/** The schema of the form. A membership also needs its user. */
const readSchema = async (kind: KindName): Promise<Schema> => {
  const { required = [] } = KINDS[kind];
  if (kind !== 'memberships') return { ...(await readRowSchema(kind)), required };
  const { items = {} } = (await readRowSchema('users')).properties?.memberships ?? {};
  const user_id: Schema = { type: 'string', description: 'The user, by id or by e-mail.' };
  return { ...items, required, properties: { user_id, ...items.properties } };
};

/** The members that identify a row. */
export const keyOf = (kind: KindName, row: Row = {}): Row => {
  const { key = ['id'] } = KINDS[kind];
  return Object.fromEntries(key.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]));
};

/** The row as a part of a scenario. */
export const toState = (kind: KindName, row: Row): Row => {
  if (kind !== 'memberships') return { [kind]: [row] };
  const { user_id, ...membership } = row;
  const user = textOf(user_id).includes('@') ? { email: user_id } : { id: user_id };
  return { users: [{ ...user, memberships: [membership] }] };
};

/** The names of rows that the fields of the form can refer to, as suggestions. */
const readSuggestions = async (environment: string): Promise<Record<string, string[]>> => {
  const read = async (kind: KindName, member: string): Promise<string[]> => {
    const path = within(environment, `/resources/${kind}?page_size=200`);
    return (await call<ResourcePage>('GET', path)).rows.map((row) => textOf(row[member]));
  };
  const [connectors, organizations, users, roles] = await Promise.all([
    read('connections', 'key_id'),
    read('organizations', 'name'),
    read('users', 'email'),
    read('roles', 'name'),
  ]);
  return {
    connector: connectors,
    connection_id: connectors,
    organization_id: organizations,
    user_id: users,
    email: users,
    roles,
  };
};
