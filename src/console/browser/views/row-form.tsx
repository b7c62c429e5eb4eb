/** The form to create or change a row, and what it sends. */
import { type CallError, call, type KindName, type ResourcePage, type Row, textOf } from '../live/api.ts';
import { useLoaded } from '../live/loaded.tsx';
import { SchemaForm, toSentence } from '../parts/forms.tsx';
import { toWords } from '../parts/layout.tsx';
import { tell } from '../parts/notices.ts';
import { readBodySchema, readRowSchema, type Schema } from '../reference/document.ts';
import { within } from '../route.ts';
import { idOf, KINDS, oneOf } from './kinds.ts';

interface RowFormProps {
  readonly kind: KindName;
  /** The row to edit; absent for a new row. */
  readonly row?: Row;
  /** Called with the row's id after saving. */
  readonly onDone: (id: string) => void;
}

export const RowForm = ({ kind, row, onDone }: RowFormProps) => {
  const { form = [], createdBy } = KINDS[kind];
  const maker = row ? undefined : createdBy;
  const one = oneOf(KINDS[kind]);
  const suggest = useLoaded('', readSuggestions).value;
  const save = async (change: Row): Promise<string> => {
    if (maker) return newIdOf(kind, await call<Row>('POST', within(maker[1]), change));
    return writeRow(kind, row, change);
  };
  const roles = Array.isArray(row?.roles) && row.roles.map(({ name }: Row) => name);
  return (
    <SchemaForm
      read={() => (maker ? readBodySchema(maker[0]) : readSchema(kind))}
      first={form}
      action={row ? 'Save' : `Create ${one}`}
      onSend={save}
      onSent={(id) => {
        tell(`${toWords(one)} ${row ? 'saved' : 'created'}.`);
        onDone(id);
      }}
      row={roles ? { ...row, roles } : row}
      suggest={suggest}
    />
  );
};

/** The id of the row that a call of the console made. */
const newIdOf = (kind: KindName, reply: Row): string => {
  const { link, authentication_request: entry = reply } = reply;
  return textOf(link).split('/').at(-1) || idOf(KINDS[kind], Object(entry));
};

/** Writes a new or changed row, and returns its id. A new row replaces no other row (behaviour N4). */
const writeRow = async (kind: KindName, row: Row | undefined, change: Row): Promise<string> => {
  const { key = ['id'] } = KINDS[kind];
  const written: Row = { ...(row && Object.fromEntries(key.map((name) => [name, row[name]]))), ...change };
  const { user_id: id, ...membership } = written;
  const state =
    kind === 'memberships' ? { users: [{ id, memberships: [membership] }] } : { [kind]: [written] };
  const path = `/state${row ? '' : '?create=true'}`;
  const { written: ids } = await call<{ readonly written: object }>('PATCH', within(path), state);
  return textOf(Object.values(ids).flat()[0]);
};

/** The schema of a row's form. Scenarios write a membership below its user. */
const readSchema = async (kind: KindName): Promise<Schema> => {
  const { required = [] } = KINDS[kind];
  if (kind !== 'memberships') return { ...(await readRowSchema(kind)), required };
  return { ...(await readRowSchema('users')).properties?.memberships?.items, required: [] };
};

const readSuggestions = async (): Promise<Record<string, string[]>> => {
  const read = async (kind: KindName, member: string): Promise<string[]> => {
    const { rows } = await call<ResourcePage>('GET', within(`/resources/${kind}?page_size=200`));
    return rows.map((row) => textOf(row[member]));
  };
  const [connector, organization_id, email, roles] = await Promise.all([
    read('connections', 'key_id'),
    read('organizations', 'name'),
    read('users', 'email'),
    read('roles', 'name'),
  ]);
  return { connector, connection_id: connector, organization_id, user_id: email, email, roles };
};

/** Removes a row. The text of a refusal leaves out the path of the row, which the user did not write. */
export const removeRow = (kind: KindName, row: Row): Promise<unknown> =>
  writeRow(kind, row, { remove: true }).catch((error: unknown) => {
    const { violations = [] }: Partial<CallError> = Object(error);
    throw violations.length > 0 ? new Error(violations.map(({ text }) => toSentence(text)).join(' ')) : error;
  });
