/** One row: its actions, its members, and the form to create or change a row. */
import { useState } from 'preact/hooks';
import { call, isObject, type KindName, type ResourcePage, type Row, textOf, within } from '../live/api.ts';
import { useEnvironment, useLive } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { type Action, Buttons, CopyButton, ICONS, Menu } from '../parts/buttons.tsx';
import { Json } from '../parts/code.tsx';
import { SchemaForm } from '../parts/forms.tsx';
import { Facts, Panel, toWords } from '../parts/layout.tsx';
import { actWithUndo } from '../parts/notices.ts';
import { readBodySchema, readRowSchema, type Schema } from '../reference/document.ts';
import { addressOf } from '../route.ts';
import { idOf, KINDS, oneOf } from './kinds.ts';
import { Value } from './value.tsx';

interface RowPanelProps {
  readonly name: KindName;
  readonly id: string;
  /** The rows in the table, which usually include this row. */
  readonly rows: readonly Row[] | undefined;
  readonly close: () => void;
}

export const RowPanel = ({ name, id, rows, close }: RowPanelProps) => {
  const kind = KINDS[name];
  const { name: environment } = useEnvironment();
  const [isEdited, setEdited] = useState(false);
  const isWanted = (row: Row): boolean => idOf(kind, row) === id;
  const onPage = rows?.find(isWanted);
  const query = new URLSearchParams({ query: id.replaceAll('/', ' ') });
  const find = async (): Promise<Pick<ResourcePage, 'rows'>> =>
    onPage ? { rows: [onPage] } : call('GET', within(environment, `/resources/${name}?${query}`));
  // When the row leaves the table, for example because it was deleted, the key changes, so that `find` runs again.
  const found = useLive(`${name} ${id} ${onPage !== undefined}`, find, 'change');
  const row = onPage ?? found.value?.rows.find(isWanted);
  if (!row)
    return (
      <Panel title={id} close={close}>
        <Loading from={found}>{() => <p class="empty">This row no longer exists.</p>}</Loading>
      </Panel>
    );
  const title = textOf(row[kind.name]);
  const actions = <RowActions {...{ name, row, isEdited, setEdited, close }} />;
  return (
    <Panel {...{ title, close, actions }}>
      {isEdited ? (
        <RowForm kind={name} row={row} onDone={() => setEdited(false)} />
      ) : (
        <>
          <Facts of={factsOf(row)} />
          <CallsLinks environment={environment} texts={[pathOf(id), title]} />
        </>
      )}
      <details>
        <summary>JSON</summary>
        <CopyButton label="Copy JSON" text={JSON.stringify(row, undefined, 2)} />
        <Json value={row} label={`${title} as JSON`} />
      </details>
    </Panel>
  );
};

/** What calls of the API have in their path or body: an id, or the path of a membership. */
const pathOf = (id: string): string => id.replace(/^(org_[^/]+)[/]/, 'organizations/$1/users/');

/** Links to the calls in the journal that contain a text. */
const CallsLinks = ({
  environment,
  texts,
}: {
  readonly environment: string;
  readonly texts: readonly string[];
}) => (
  <p class="cluster">
    {[...new Set(texts)].map((query) => (
      <a key={query} href={addressOf({ environment, view: 'journal', params: { query } })}>
        Calls with {query}
      </a>
    ))}
  </p>
);

interface RowActionsProps extends Pick<RowPanelProps, 'name' | 'close'> {
  readonly row: Row;
  readonly isEdited: boolean;
  readonly setEdited: (isEdited: boolean) => void;
}

/** Shows the primary actions on a row as buttons, and the others in a menu. */
const RowActions = ({ name, row, isEdited, setEdited, close }: RowActionsProps) => {
  const { name: environment } = useEnvironment();
  const { moves, form, createdBy, name: naming } = KINDS[name];
  const title = textOf(row[naming]);
  const remove = () =>
    actWithUndo(
      environment,
      () => writeRow(environment, name, row, { remove: true }),
      `${toWords(oneOf(KINDS[name]))} ${title} deleted.`,
    ).then(close);
  const actions: Action[] = [...(moves?.(environment, row) ?? [])];
  if (form && !createdBy) {
    actions.push({ label: 'Edit', isOn: isEdited, isPrimary: true, choose: () => setEdited(!isEdited) });
    actions.push({ label: 'Delete', isDangerous: true, choose: remove });
  }
  const main = actions.filter(({ isPrimary }) => isPrimary);
  const others = actions.filter(({ isPrimary }) => !isPrimary);
  return (
    <>
      <Buttons className="small" actions={main.map((action) => ({ ...action, isPrimary: false }))} />
      {others.length > 0 && (
        <Menu className="small" label={`More: ${title}`} items={others} face={['More ', ICONS.caret]} />
      )}
    </>
  );
};

/** The top-level members of a row, in words. Only the JSON shows deeper members. */
const factsOf = (row: Row) =>
  Object.entries(row)
    .filter(([, value]) => isTelling(value))
    .map(([name, value]) => {
      const title = <span title={name}>{toWords(name)}</span>;
      return [title, <Value name={name} value={value} />] as const;
    });

const isTelling = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((each) => !isObject(each) || 'name' in each || 'type' in each)
    : value !== '' && !isObject(value);

interface RowFormProps {
  readonly kind: KindName;
  /** The row to edit; absent for a new row. */
  readonly row?: Row;
  /** Called with the row's id after saving. */
  readonly onDone: (id: string) => void;
}

export const RowForm = ({ kind, row, onDone }: RowFormProps) => {
  const { name: environment } = useEnvironment();
  const { form = [], createdBy } = KINDS[kind];
  const one = oneOf(KINDS[kind]);
  const suggest = useLoaded(environment, () => readSuggestions(environment)).value;
  const save = async (change: Row): Promise<string> => {
    if (createdBy) onDone(newIdOf(kind, await call<Row>('POST', within(environment, createdBy[1]), change)));
    else {
      const written = await writeRow(environment, kind, row, change);
      onDone(row ? idOf(KINDS[kind], row) : (written ?? ''));
    }
    return row ? `${toWords(one)} saved.` : `${toWords(one)} created.`;
  };
  const roles = Array.isArray(row?.roles) && row.roles.map(({ name }: Row) => name);
  return (
    <SchemaForm
      read={() => (createdBy ? readBodySchema(createdBy[0]) : readSchema(kind))}
      first={form}
      action={row ? 'Save' : `Create ${one}`}
      onSend={save}
      row={roles ? { ...row, roles } : row}
      suggest={suggest}
    />
  );
};

/** The id of the row that `createLink` or `signIn` made. */
const newIdOf = (kind: KindName, { link, authentication_request: entry }: Row): string =>
  isObject(entry) ? idOf(KINDS[kind], entry) : (textOf(link).split('/').at(-1) ?? '');

/**
 * Writes a new or changed row into the environment's state, and returns its id. A new row replaces no other row
 * (behaviour N4).
 */
const writeRow = async (environment: string, kind: KindName, row: Row = {}, change: Row = {}) => {
  const { key = ['id'] } = KINDS[kind];
  const names = key.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]);
  const written: Row = { ...Object.fromEntries(names), ...change };
  const { user_id, ...membership } = written;
  const user = textOf(user_id).includes('@') ? { email: user_id } : { id: user_id };
  const state =
    kind === 'memberships' ? { users: [{ ...user, memberships: [membership] }] } : { [kind]: [written] };
  const path = names.length === 0 ? '/state?create=true' : '/state';
  const reply = await call<Written>('PATCH', within(environment, path), state);
  const [id] = Object.values(reply.written).flat();
  if (kind !== 'memberships') return id;
  // A membership has no id of its own: the reply has the id of its user.
  const named = textOf(written.organization_id);
  const found = await readRows(environment, 'organizations', named);
  return `${found.find((one) => [one.id, one.name].includes(named))?.id}/${id}`;
};

interface Written {
  readonly written: Readonly<Record<string, readonly string[]>>;
}

const readRows = async (environment: string, kind: KindName, query = ''): Promise<readonly Row[]> => {
  const search = new URLSearchParams({ query, page_size: '200' });
  return (await call<ResourcePage>('GET', within(environment, `/resources/${kind}?${search}`))).rows;
};

/** The schema of a row's form. The form of a membership also has a field for the user. */
const readSchema = async (kind: KindName): Promise<Schema> => {
  const { required = [] } = KINDS[kind];
  if (kind !== 'memberships') return { ...(await readRowSchema(kind)), required };
  const { items = {} } = (await readRowSchema('users')).properties?.memberships ?? {};
  const user_id: Schema = { type: 'string', description: 'The id or the e-mail address of the user.' };
  return { ...items, required, properties: { user_id, ...items.properties } };
};

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
