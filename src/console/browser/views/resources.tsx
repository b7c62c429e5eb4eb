/** One kind of resources as a table: searched and paged by the server, so that it is as quick with 100,000 rows. */
import { useState } from 'preact/hooks';
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Json } from '../parts/json.tsx';
import { Loading } from '../parts/loading.tsx';
import { Pager } from '../parts/pager.tsx';
import { Panel } from '../parts/panel.tsx';
import { SearchField } from '../parts/search.tsx';
import { Table } from '../parts/table.tsx';
import { useView } from '../route.ts';
import { KINDS, type Kind } from './kinds.tsx';
import { useReadAtNextEnd } from './next-end.ts';
import type { Row } from './row.ts';
import { RowForm, removeRow } from './row-form.tsx';
import { Timeline } from './timeline.tsx';

type Page = Schemas['ResourcePage'];

const listRows = (environment: string, kind: string, search: Record<string, string>): Promise<Page> =>
  call('GET', within(environment, `/resources/${kind}?${new URLSearchParams(search)}`));

export const Resources = ({ kind: name }: { readonly kind: Schemas['ResourceKind'] }) => {
  const kind = KINDS[name];
  const { name: environment, changes } = useEnvironment();
  const { id, params, open, close, filter } = useView();
  const { query = '', page: page_token = '' } = params;
  const page = useLoaded(
    [environment, query, page_token].join(),
    () => listRows(environment, name, { query, page_token }),
    changes,
  );
  useReadAtNextEnd(page.value?.rows);
  return (
    <div class={id === '' ? 'view' : 'view split'}>
      <section class="list" aria-label={kind.title}>
        <header class="bar">
          <h1>
            {kind.title} <span class="count">{page.value?.total_size.toLocaleString('en')}</span>
          </h1>
          <SearchField
            label={`Search ${kind.title.toLowerCase()}`}
            text={query}
            find={(text) => filter({ query: text, page: '' })}
          />
          {kind.form && (
            <button type="button" class="primary" onClick={() => open(NEW)}>
              New {kind.one}
            </button>
          )}
        </header>
        <Loading from={page}>
          {(value) => (
            <>
              <Table kind={kind} rows={value.rows} chosen={id} choose={(row) => open(kind.id(row))} />
              <Pager page={value} turn={(token) => filter({ page: token })} />
            </>
          )}
        </Loading>
      </section>
      {id === NEW && (
        <Panel title={`New ${kind.one}`} close={close}>
          <RowForm kind={name} onDone={close} />
        </Panel>
      )}
      {id !== '' && id !== NEW && (
        <RowPanel key={id} name={name} id={id} rows={page.value?.rows} close={close} />
      )}
    </div>
  );
};

/** What the address has in the place of an id while a new row is written. */
const NEW = 'new';

const HAVE_TIMELINE = new Set(['connected_accounts', 'memberships', 'users']);

/** @param rows those of the page, one of which it mostly is */
const RowPanel = ({
  name,
  id,
  rows,
  close,
}: {
  readonly name: Schemas['ResourceKind'];
  readonly id: string;
  readonly rows: readonly Row[] | undefined;
  readonly close: () => void;
}) => {
  const kind: Kind = KINDS[name];
  const { name: environment, changes } = useEnvironment();
  const [isEdited, setEdited] = useState(false);
  const canBeWritten = kind.form !== undefined && kind.made === undefined;
  const isWanted = (row: Row): boolean => kind.id(row) === id;
  const onPage = rows?.find(isWanted);
  const find = async () => (onPage ? { rows: [onPage] } : listRows(environment, name, { query: id }));
  const found = useLoaded(`${environment} ${id}`, find, changes);
  const row = onPage ?? found.value?.rows.find(isWanted);
  return (
    <Panel
      title={row ? kind.name(row) : id}
      close={close}
      actions={
        row && (
          <>
            {kind.moves?.(environment, row).map(({ label, choose }) => (
              <button type="button" class="small" key={label} onClick={choose}>
                {label}
              </button>
            ))}
            {canBeWritten && (
              <>
                <button
                  type="button"
                  class="small"
                  aria-pressed={isEdited}
                  onClick={() => setEdited(!isEdited)}
                >
                  Edit
                </button>
                <button
                  type="button"
                  class="small"
                  onClick={() => removeRow(environment, name, row).then(close)}
                >
                  Delete
                </button>
              </>
            )}
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
