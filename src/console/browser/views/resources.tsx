/** One kind of resources as a table: searched and paged by the server, so that it is as quick with 100,000 rows. */
import { useEffect, useState } from 'preact/hooks';
import { call, type Schemas, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Json } from '../parts/json.tsx';
import { Pager } from '../parts/pager.tsx';
import { Panel } from '../parts/panel.tsx';
import { SearchField } from '../parts/search.tsx';
import { Table } from '../parts/table.tsx';
import { KINDS, type Kind } from './kinds.tsx';
import { useReadAtNextEnd } from './next-end.ts';
import type { Row } from './row.ts';

export const Resources = ({ kind: name }: { readonly kind: Schemas['ResourceKind'] }) => {
  const kind = KINDS[name];
  const environment = useEnvironment();
  const [query, setQuery] = useState('');
  const [token, setToken] = useState('');
  const [chosen, choose] = useState<Row>();
  const search = new URLSearchParams({ query, page_token: token });
  const { value: page, problem } = useLoaded(
    `${environment.name} ${search}`,
    () => call<Schemas['ResourcePage']>('GET', within(environment.name, `/resources/${name}?${search}`)),
    environment.changes,
  );
  // The chosen row as it is now; as it was, if it is on no page any more.
  const current = chosen && (page?.rows.find((row) => kind.id(row) === kind.id(chosen)) ?? chosen);
  useEffect(() => {
    choose((held) => (held === chosen ? current : held)); // never over what was chosen or closed meanwhile
  }, [current]);
  useReadAtNextEnd(page?.rows);
  return (
    <div class={current ? 'view split' : 'view'}>
      <section class="list" aria-label={kind.title}>
        <header class="bar">
          <h1>
            {kind.title} <span class="count">{page?.total_size.toLocaleString('en')}</span>
          </h1>
          <SearchField
            label={`Search ${kind.title.toLowerCase()}`}
            find={(text) => {
              setQuery(text);
              setToken('');
            }}
          />
        </header>
        {problem !== undefined && <p class="problem">{problem}</p>}
        {page && <Table kind={kind} rows={page.rows} chosen={current} choose={choose} />}
        {page && <Pager page={page} turn={setToken} />}
      </section>
      {current && <RowPanel kind={kind} row={current} close={() => choose(undefined)} />}
    </div>
  );
};

const RowPanel = ({
  kind,
  row,
  close,
}: {
  readonly kind: Kind;
  readonly row: Row;
  readonly close: () => void;
}) => {
  const { name } = useEnvironment();
  return (
    <Panel
      key={kind.id(row)}
      title={kind.name(row)}
      close={close}
      actions={
        <>
          {kind.moves?.(name, row).map(({ label, choose }) => (
            <button type="button" class="small" key={label} onClick={choose}>
              {label}
            </button>
          ))}
          <CopyButton label="Copy JSON" text={JSON.stringify(row, undefined, 2)} />
        </>
      }
    >
      <Json value={row} label={`${kind.name(row)} as JSON`} />
    </Panel>
  );
};
