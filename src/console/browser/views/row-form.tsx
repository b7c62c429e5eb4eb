/** The form for a row. It writes the row into the environment as a part of a scenario. */
import { call, type KindName, type ResourcePage, type Row, textOf, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import { readBodySchema, readRowSchema, type Schema } from '../reference/document.ts';
import { idOf, KINDS } from './kinds.ts';
import { isObject } from './value.tsx';

interface RowFormProps {
  readonly kind: KindName;
  /** The row to edit; absent for a new row. */
  readonly row?: Row;
  /** Called with the row's id when the form closes. */
  readonly onDone: (id: string) => void;
}

export const RowForm = ({ kind, row, onDone }: RowFormProps) => {
  const { name: environment } = useEnvironment();
  const { one, form = [], made } = KINDS[kind];
  const suggest = useLoaded(environment, () => readSuggestions(environment));
  const save = async (change: Row): Promise<string> => {
    const reply = await (made
      ? call<Row>('POST', within(environment, made[1]), change)
      : writeRow(environment, kind, row, change));
    onDone(row ? idOf(KINDS[kind], row) : await findNew(environment, kind, change, reply));
    return row ? `The ${one} was changed.` : `The ${one} was made.`;
  };
  const roles = Array.isArray(row?.roles) && row.roles.map(({ name }: Row) => name);
  return (
    <SchemaForm
      read={() => (made ? readBodySchema(made[0]) : readSchema(kind))}
      first={form}
      action={row ? 'Save' : `Make the ${one}`}
      onSend={save}
      row={roles ? { ...row, roles } : row}
      suggest={suggest.value}
    />
  );
};

/** Writes a change of a row as a part of a scenario. @param row the row as it is now; absent for a new row */
export const writeRow = (
  environment: string,
  kind: KindName,
  row: Row = {},
  change: Row = {},
): Promise<Row> => {
  const { key = ['id'] } = KINDS[kind];
  const names = key.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]);
  const written: Row = { ...Object.fromEntries(names), ...change };
  const { user_id, ...membership } = written;
  const user = textOf(user_id).includes('@') ? { email: user_id } : { id: user_id };
  const state =
    kind === 'memberships' ? { users: [{ ...user, memberships: [membership] }] } : { [kind]: [written] };
  return call('PATCH', within(environment, '/state'), state);
};

/** Members by which users search for a row. */
const NAMES = ['identifier', 'connector', 'email', 'key_id', 'path', 'display_name', 'name', 'user_id'];

const readRows = async (environment: string, kind: KindName, query = ''): Promise<readonly Row[]> => {
  const search = new URLSearchParams({ query, page_size: '200' });
  return (await call<ResourcePage>('GET', within(environment, `/resources/${kind}?${search}`))).rows;
};

/** The id of the row that was just made: from the reply, or found by the row's names. "" if neither works. */
const findNew = async (environment: string, kind: KindName, change: Row, reply: Row): Promise<string> => {
  if (typeof reply.link === 'string') return reply.link.split('/').at(-1) ?? '';
  if (isObject(reply.authentication_request)) return idOf(KINDS[kind], reply.authentication_request);
  const words = NAMES.map((name) => textOf(change[name])).filter(Boolean);
  const found = (await readRows(environment, kind, words.slice(0, 2).join(' '))).at(-1);
  return found ? idOf(KINDS[kind], found) : '';
};

/** The schema of the form. A membership also needs its user. */
const readSchema = async (kind: KindName): Promise<Schema> => {
  const { required = [] } = KINDS[kind];
  if (kind !== 'memberships') return { ...(await readRowSchema(kind)), required };
  const { items = {} } = (await readRowSchema('users')).properties?.memberships ?? {};
  const user_id: Schema = { type: 'string', description: 'The user, by id or by e-mail.' };
  return { ...items, required, properties: { user_id, ...items.properties } };
};

/** The names of rows that the fields of the form can refer to, as suggestions. */
const readSuggestions = async (environment: string): Promise<Record<string, string[]>> => {
  const read = async (kind: KindName, member: string): Promise<string[]> =>
    (await readRows(environment, kind)).map((row) => textOf(row[member]));
  const [connector, organization_id, email, roles] = await Promise.all([
    read('connections', 'key_id'),
    read('organizations', 'name'),
    read('users', 'email'),
    read('roles', 'name'),
  ]);
  return { connector, connection_id: connector, organization_id, user_id: email, email, roles };
};
