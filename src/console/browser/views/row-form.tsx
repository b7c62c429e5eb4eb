/** The form for a row, new or there already, and the way to take one away. */
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { readBodySchema, readRowSchema } from '../live/schemas.ts';
import { NEVER } from '../live/store.ts';
import { actWithUndo } from '../live/undo.ts';
import { Loading } from '../parts/loading.tsx';
import { tell } from '../parts/notices.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import type { Schema } from '../reference/document.ts';
import { KINDS } from './kinds.tsx';
import { type Row, textOf } from './row.ts';

type KindName = Schemas['ResourceKind'];

/** @param row none for a new one @param onDone the form is over */
export const RowForm = ({
  kind,
  row,
  onDone,
}: {
  readonly kind: KindName;
  readonly row?: Row;
  readonly onDone: () => void;
}) => {
  const { name: environment } = useEnvironment();
  const { one, form = [], made } = KINDS[kind];
  const schema = useLoaded(kind, () => (made ? readBodySchema(made[0]) : readSchema(kind)), NEVER);
  const suggest = useLoaded(environment, () => readSuggestions(environment), NEVER);
  const save = async (change: Row): Promise<void> => {
    await (made
      ? call('POST', within(environment, made[1]), change)
      : call('PATCH', within(environment, '/state'), toState(kind, { ...keyOf(kind, row), ...change })));
    tell(row ? `The ${one} is changed.` : `The ${one} is made.`);
    onDone();
  };
  return (
    <Loading from={schema}>
      {(value) => (
        <SchemaForm
          schema={value}
          first={form}
          action={row ? 'Save' : `Make the ${one}`}
          onSend={save}
          {...(row && { row })}
          {...(suggest.value && { suggest: suggest.value })}
        />
      )}
    </Loading>
  );
};

/** Memberships are written with their user. */
const readSchema = async (kind: KindName): Promise<Schema> => {
  if (kind !== 'memberships') return readRowSchema(kind);
  const { items = {} } = (await readRowSchema('users')).properties?.memberships ?? {};
  const user_id: Schema = { type: 'string', description: 'The user, by id or by e-mail.' };
  return { ...items, properties: { user_id, ...items.properties } };
};

const keyOf = (kind: KindName, row: Row = {}): Row =>
  kind === 'memberships'
    ? { user_id: row.user_id, organization_id: row.organization_id }
    : row.id === undefined
      ? {}
      : { id: row.id };

/** The row as a part of a scenario. */
const toState = (kind: KindName, row: Row): Row => {
  if (kind !== 'memberships') return { [kind]: [row] };
  const { user_id, ...membership } = row;
  const user = textOf(user_id).includes('@') ? { email: user_id } : { id: user_id };
  return { users: [{ ...user, memberships: [membership] }] };
};

export const removeRow = (environment: string, kind: KindName, row: Row): Promise<unknown> =>
  actWithUndo(
    environment,
    'before delete',
    () => call('PATCH', within(environment, '/state'), toState(kind, { ...keyOf(kind, row), remove: true })),
    `The ${KINDS[kind].one} ${KINDS[kind].name(row)} is deleted.`,
  );

/** Names of what a row may lead to. */
const readSuggestions = async (environment: string): Promise<Record<string, string[]>> => {
  const read = async (kind: KindName, member: string): Promise<string[]> => {
    const path = within(environment, `/resources/${kind}?page_size=200`);
    return (await call<Schemas['ResourcePage']>('GET', path)).rows.map((row) => textOf(row[member]));
  };
  const [connectors, organizations, users] = await Promise.all([
    read('connections', 'key_id'),
    read('organizations', 'name'),
    read('users', 'email'),
  ]);
  return {
    connector: connectors,
    connection_id: connectors,
    organization_id: organizations,
    user_id: users,
    email: users,
  };
};
