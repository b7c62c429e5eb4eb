/** One row: its actions, its members, and the form to create or change a row. */
import { useRef, useState } from 'preact/hooks';
import {
  type CallError,
  call,
  isObject,
  type KindName,
  type ResourcePage,
  type Row,
  textOf,
  within,
} from '../live/api.ts';
import { useEnvironment, useLive } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { type Action, Buttons, CopyButton, ICONS, Menu } from '../parts/buttons.tsx';
import { Json } from '../parts/code.tsx';
import { SchemaForm, toSentence } from '../parts/forms.tsx';
import { Facts, Panel, toWords } from '../parts/layout.tsx';
import { actWithUndo } from '../parts/notices.ts';
import { readBodySchema, readRowSchema, type Schema } from '../reference/document.ts';
import { addressOf, mayLeave } from '../route.ts';
import { idOf, KINDS, oneOf } from './kinds.ts';
import { Value } from './value.tsx';

interface RowPanelProps {
  readonly name: KindName;
  readonly id: string;
  /** The page of the table, which usually includes this row. */
  readonly page: ResourcePage | undefined;
  readonly close: () => void;
}

export const RowPanel = ({ name, id, page, close }: RowPanelProps) => {
  const kind = KINDS[name];
  const { name: environment } = useEnvironment();
  const [isEdited, setEdited] = useState(false);
  const isWanted = (row: Row): boolean => idOf(kind, row) === id;
  const onPage = page?.rows.find(isWanted);
  const query = new URLSearchParams({ query: id.replaceAll('/', ' ') });
  const find = async (): Promise<ResourcePage> =>
    page && onPage ? page : call('GET', within(environment, `/resources/${name}?${query}`));
  // When the row leaves the table, for example because it was deleted, the key changes, so that `find` runs again.
  const found = useLive(`${name} ${id} ${onPage !== undefined}`, find, 'change');
  const source = onPage ? page : found.value;
  const row = source?.rows.find(isWanted);
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
        <RowForm
          kind={name}
          row={row}
          version={source?.versions[source.rows.indexOf(row)]}
          onDone={() => setEdited(false)}
        />
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
  const { moves, required, name: naming } = KINDS[name];
  const title = textOf(row[naming]);
  const remove = () =>
    actWithUndo(
      environment,
      () => removeRow(environment, name, row),
      `${toWords(oneOf(KINDS[name]))} ${title} deleted.`,
    ).then(close);
  const actions: Action[] = [...(moves?.(environment, row) ?? [])];
  if (required) {
    actions.push({
      label: 'Edit',
      isOn: isEdited,
      isPrimary: true,
      choose: () => mayLeave() && setEdited(!isEdited),
    });
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

/** Removes a row. The text of a refusal leaves out the path of the row, which the user did not write. */
const removeRow = (environment: string, kind: KindName, row: Row): Promise<unknown> =>
  writeRow(environment, kind, row, { remove: true }).catch((error: unknown) => {
    const { violations = [] }: Partial<CallError> = Object(error);
    throw violations.length > 0 ? new Error(violations.map(({ text }) => toSentence(text)).join(' ')) : error;
  });

interface RowFormProps {
  readonly kind: KindName;
  /** The row to edit; absent for a new row. */
  readonly row?: Row;
  /** The version of the row: another one means that somebody else has changed the row. */
  readonly version?: string | undefined;
  /** Called with the row's id after saving. */
  readonly onDone: (id: string) => void;
}

export const RowForm = ({ kind, row, version, onDone }: RowFormProps) => {
  const { name: environment } = useEnvironment();
  const { form = [], createdBy } = KINDS[kind];
  const maker = row ? undefined : createdBy;
  const one = oneOf(KINDS[kind]);
  const suggest = useLoaded(environment, () => readSuggestions(environment)).value;
  const read = useRef(version);
  const id = useRef('');
  const save = async (change: Row): Promise<string> => {
    if (maker) {
      id.current = newIdOf(kind, await call<Row>('POST', within(environment, maker[1]), change));
      return `${toWords(one)} created.`;
    }
    try {
      id.current = (await writeRow(environment, kind, row, change, read.current)) ?? '';
    } catch (error) {
      if (version === read.current) throw error;
      read.current = version;
      throw new Error(CHANGED);
    }
    return row ? `${toWords(one)} saved.` : `${toWords(one)} created.`;
  };
  const roles = Array.isArray(row?.roles) && row.roles.map(({ name }: Row) => name);
  return (
    <SchemaForm
      read={() => (maker ? readBodySchema(maker[0]) : readSchema(kind))}
      first={form}
      action={row ? 'Save' : `Create ${one}`}
      onSend={save}
      onSent={() => onDone(id.current)}
      row={roles ? { ...row, roles } : row}
      suggest={suggest}
    />
  );
};

const CHANGED =
  'This row has changed since you began, so nothing was saved. Fields that you have not touched show the new values. Save again to write yours.';

/** The id of the row that a call of the console made. */
const newIdOf = (kind: KindName, reply: Row): string => {
  const { link, authentication_request: entry = reply } = reply;
  return textOf(link).split('/').at(-1) || idOf(KINDS[kind], Object(entry));
};

/**
 * Writes a new or changed row into the environment's state, and returns its id. A new row replaces no other row
 * (behaviour N4). @param version the row is not written if it has another version by now
 */
const writeRow = async (
  environment: string,
  kind: KindName,
  row: Row | undefined,
  change: Row,
  version?: string,
) => {
  const { key = ['id'] } = KINDS[kind];
  const written: Row = { ...(row && Object.fromEntries(key.map((name) => [name, row[name]]))), ...change };
  const { user_id: id, ...membership } = written;
  const state =
    kind === 'memberships' ? { users: [{ id, memberships: [membership] }] } : { [kind]: [written] };
  const path = version === undefined ? `/state${row ? '' : '?create=true'}` : `/rows/${version}`;
  const reply = await call<Written>('PATCH', within(environment, path), state);
  return Object.values(reply.written).flat()[0];
};

interface Written {
  readonly written: Readonly<Record<string, readonly string[]>>;
}

const readRows = async (environment: string, kind: KindName): Promise<readonly Row[]> =>
  (await call<ResourcePage>('GET', within(environment, `/resources/${kind}?page_size=200`))).rows;

/** The schema of a row's form. Scenarios write a membership below its user. */
const readSchema = async (kind: KindName): Promise<Schema> => {
  const { required = [] } = KINDS[kind];
  if (kind !== 'memberships') return { ...(await readRowSchema(kind)), required };
  return { ...(await readRowSchema('users')).properties?.memberships?.items, required: [] };
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
