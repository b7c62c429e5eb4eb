/** One row: what it holds, what happened to it, the form to write it, and what can be done to it. */
import { useState } from 'preact/hooks';
import { call, type Row, rowsOf, type Schemas, textOf, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { readBodySchema, readRowSchema } from '../live/schemas.ts';
import { actWithUndo } from '../live/undo.ts';
import { type Action, Buttons } from '../parts/actions.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { Json } from '../parts/json.tsx';
import { SchemaForm } from '../parts/schema-form.tsx';
import { Panel } from '../parts/screen.tsx';
import type { Schema } from '../reference/document.ts';
import { KINDS, type KindView } from './kinds.tsx';
import { Timeline } from './timeline.tsx';

type KindName = Schemas['ResourceKind'];
type ResourcePage = Schemas['ResourcePage'];

const HAVE_TIMELINE = new Set(['connected_accounts', 'memberships', 'users']);

/** @param rows those of the page, one of which it mostly is */
export const RowPanel = ({
  name,
  id,
  rows,
  close,
}: {
  readonly name: KindName;
  readonly id: string;
  readonly rows: readonly Row[] | undefined;
  readonly close: () => void;
}) => {
  const kind: KindView = KINDS[name];
  const { name: environment, changes } = useEnvironment();
  const [isEdited, setEdited] = useState(false);
  const isWanted = (row: Row): boolean => kind.id(row) === id;
  const onPage = rows?.find(isWanted);
  const search = within(environment, `/resources/${name}?${new URLSearchParams({ query: id })}`);
  const find = async () => (onPage ? { rows: [onPage] } : call<ResourcePage>('GET', search));
  // The key has it read once more when the row leaves the page, as a deleted one does.
  const found = useLoaded(`${search} ${onPage !== undefined}`, find, changes);
  const row = onPage ?? found.value?.rows.find(isWanted);
  const actionsOn = (one: Row): readonly Action[] => [
    ...(kind.moves?.(environment, one) ?? []),
    ...(kind.form && !kind.made
      ? [
          { label: 'Edit', isOn: isEdited, choose: () => setEdited(!isEdited) },
          { label: 'Delete', choose: () => removeRow(environment, name, one).then(close) },
        ]
      : []),
  ];
  return (
    <Panel
      title={row ? kind.name(row) : id}
      close={close}
      actions={
        row && (
          <>
            <Buttons className="small" actions={actionsOn(row)} />
            <CopyButton label="Copy JSON" text={JSON.stringify(row, undefined, 2)} />
          </>
        )
      }
    >
      <Loading from={found}>
        {() => row === undefined && <p class="empty">There is no such row now.</p>}
      </Loading>
      {row && isEdited && <RowForm kind={name} row={row} onDone={() => setEdited(false)} />}
      {row && !isEdited && HAVE_TIMELINE.has(name) && <Timeline row={row} id={`${environment} ${id}`} />}
      {row && <Json value={row} label={`${kind.name(row)} as JSON`} />}
    </Panel>
  );
};

/** The form for a row. @param row none for a new one @param onDone the form is over */
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
  const suggest = useLoaded(environment, () => readSuggestions(environment));
  const save = async (change: Row): Promise<string> => {
    await (made
      ? call('POST', within(environment, made[1]), change)
      : call('PATCH', within(environment, '/state'), toState(kind, { ...keyOf(kind, row), ...change })));
    onDone();
    return row ? `The ${one} is changed.` : `The ${one} is made.`;
  };
  return (
    <SchemaForm
      read={() => (made ? readBodySchema(made[0]) : readSchema(kind))}
      first={form}
      action={row ? 'Save' : `Make the ${one}`}
      onSend={save}
      row={row?.roles === undefined ? row : { ...row, roles: rowsOf(row.roles).map((role) => role.name) }}
      suggest={suggest.value}
    />
  );
};

/** Memberships are written with their user. */
const readSchema = async (kind: KindName): Promise<Schema> => {
  if (kind !== 'memberships') return readRowSchema(kind);
  const { items = {} } = (await readRowSchema('users')).properties?.memberships ?? {};
  const user_id: Schema = { type: 'string', description: 'The user, by id or by e-mail.' };
  return { ...items, properties: { user_id, ...items.properties } };
};

const keyOf = (kind: KindName, { id, user_id, organization_id }: Row = {}): Row =>
  kind === 'memberships' ? { user_id, organization_id } : id === undefined ? {} : { id };

/** The row as a part of a scenario. */
const toState = (kind: KindName, row: Row): Row => {
  if (kind !== 'memberships') return { [kind]: [row] };
  const { user_id, ...membership } = row;
  const user = textOf(user_id).includes('@') ? { email: user_id } : { id: user_id };
  return { users: [{ ...user, memberships: [membership] }] };
};

const removeRow = (environment: string, kind: KindName, row: Row): Promise<unknown> =>
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
