/** Data: the kinds at the left, the rows of one kind, and the open row. The server searches, and sends a page. */
import type { ComponentChildren } from 'preact';
import { here, type Kind, type Row } from '../live/api.ts';
import { Loading, useLive } from '../live/loaded.tsx';
import { act } from '../parts/acts.ts';
import { Buttons, ICONS } from '../parts/buttons.tsx';
import { Panel, reveal, Screen, SearchField, toWords } from '../parts/layout.tsx';
import { innerOf, useKinds } from '../parts/moves.ts';
import { addressOf, filter, go, useRoute } from '../route.ts';
import { RowForm } from './form.tsx';
import { RowPanel } from './row.tsx';
import { readRows, useRows } from './use-rows.ts';
import { Status, Value } from './value.tsx';

/** The id in the page's address while the user fills in the form of a new row. */
const NEW = 'new';

export const Data = () => {
  const kinds = useKinds();
  const { part, id, params } = useRoute();
  const shown = kinds.filter(({ group }) => group);
  const kind = kinds.find((each) => each.kind === (part || shown[0]?.kind));
  if (kinds.length === 0) return <p class="loading">Loading…</p>;
  if (!kind)
    return (
      <Screen title={`There is no kind “${part}”`} side={<Kinds kinds={shown} chosen="" />}>
        <p>The address may be old or misspelt. Choose a kind.</p>
      </Screen>
    );
  const close = () => go({ id: '' });
  const panel =
    id === NEW ? (
      <Panel title={`New ${kind.one}`} close={close}>
        <RowForm kind={kind} onDone={(made) => go({ id: made })} given={params} />
      </Panel>
    ) : (
      id !== '' && <RowPanel key={`${kind.kind} ${id}`} kind={kind} id={id} kinds={kinds} close={close} />
    );
  const side = <Kinds kinds={shown} chosen={kind.kind} />;
  return <Rows key={kind.kind} {...{ kind, kinds, panel, side }} />;
};

interface KindsProps {
  readonly kinds: readonly Kind[];
  readonly chosen: string;
}

const Kinds = ({ kinds, chosen }: KindsProps) => (
  <nav class="side" aria-label="Kinds of rows">
    {[...new Set(kinds.map(({ group }) => group))].map((group) => (
      <div key={group}>
        <h2>{group}</h2>
        <ul>
          {kinds
            .filter((each) => each.group === group)
            .map(({ kind, label, count }) => (
              <li key={kind}>
                <a
                  ref={kind === chosen ? reveal : null}
                  href={addressOf({ view: 'data', part: kind })}
                  aria-current={kind === chosen ? 'page' : undefined}
                >
                  {label}{' '}
                  {/* Only for the eyes: a screen reader would read the number as a part of the name. */}
                  <small class="digits" aria-hidden="true">
                    {count.toLocaleString('en')}
                  </small>
                </a>
              </li>
            ))}
        </ul>
      </div>
    ))}
  </nav>
);

interface RowsProps {
  readonly kind: Kind;
  readonly kinds: readonly Kind[];
  readonly panel: ComponentChildren;
  readonly side: ComponentChildren;
}

const Rows = ({ kind, kinds, panel, side }: RowsProps) => {
  const { id, params } = useRoute();
  const { query = '', page = '1' } = params;
  const asked = { ...(query !== '' && { query }), page: Number(page) || 1 };
  const found = useRows(`${kind.kind} ${JSON.stringify(asked)}`, () => readRows(kind.kind, asked));
  const create = { label: `New ${kind.one}`, isPrimary: true, choose: () => go({ id: NEW }) };
  const also = kinds.find((each) => each.kind === kind.also);
  return (
    <Screen
      title={kind.label}
      count={found.value?.total.toLocaleString('en')}
      actions={[
        <SearchField
          label="Search all data"
          text={query}
          find={(text) => filter({ query: text, page: '' })}
        />,
        kind.kind === 'emails' ? <ClearOutbox /> : kind.fields.length > 0 && <Buttons actions={[create]} />,
      ]}
      {...{ panel, side }}
    >
      <Loading from={found}>
        {({ rows, total, page_size }) => (
          <>
            {total === 0 && (
              <p class="empty">
                {query === '' ? `No ${kind.label.toLowerCase()} yet.` : `Nothing here matches “${query}”.`}
              </p>
            )}
            {rows.length > 0 && <Table {...{ kind, kinds, rows }} chosen={id} />}
            {total > page_size && (
              <Pager page={asked.page} size={page_size} shown={rows.length} total={total} />
            )}
          </>
        )}
      </Loading>
      {also && <Also kind={also} kinds={kinds} />}
      {query !== '' && <Elsewhere kind={kind} query={query} kinds={kinds} />}
    </Screen>
  );
};

type SomeProps = Pick<RowsProps, 'kind' | 'kinds'>;

const Also = ({ kind, kinds }: SomeProps) => {
  const { value } = useRows(kind.kind, () => readRows(kind.kind));
  if (!value || value.total === 0) return null;
  return (
    <section aria-labelledby="also">
      <h2 id="also">{kind.label}</h2>
      <Table {...{ kind, kinds }} rows={value.rows} chosen="" />
    </section>
  );
};

/** What a search finds in other kinds. */
const Elsewhere = ({ kind, query, kinds }: SomeProps & { readonly query: string }) => {
  const { value } = useLive(`elsewhere ${query}`, () => readRows('any', { query }));
  const rows = value?.rows.filter((row) => row.kind !== kind.kind) ?? [];
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="elsewhere">
      <h2 id="elsewhere">Elsewhere</h2>
      <ul class="parts">
        {rows.map((row) => (
          <li key={row.kind + row.id}>
            <Buttons className="link" actions={[{ label: row.title, choose: () => openRow(row) }]} />
            <small>
              {kinds.find((each) => each.kind === row.kind)?.label} · {row.about}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
};

const openRow = ({ kind, id }: Row): void => go({ part: kind, id });

const ClearOutbox = () => {
  const clear = () => act('Clear the e-mails', () => here.DELETE('/outbox'), 'The e-mails are gone.');
  return <Buttons actions={[{ label: 'Clear', choose: clear }]} />;
};

interface TableProps extends SomeProps {
  readonly rows: readonly Row[];
  readonly chosen: string;
}

const Table = ({ kind, kinds, rows, chosen }: TableProps) => (
  <table class="rows">
    <caption class="unseen">{kind.label}</caption>
    <thead>
      <tr>
        <th scope="col">{toWords(kind.one)}</th>
        {kind.columns.map((name) => (
          <th key={name} scope="col">
            {kinds.find((each) => each.kind === name)?.label ?? toWords(name.replace(/_id$/, ''))}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} class={row.id === chosen ? 'chosen' : undefined}>
          <th scope="row">
            <button type="button" class="name" title={row.title} onClick={() => openRow(row)}>
              <span>{row.title}</span>
              {row.about !== '' && <small>{row.about}</small>}
            </button>
          </th>
          {kind.columns.map((name) => (
            <td key={name}>
              <Cell {...{ name, row, kind }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

interface CellProps {
  readonly name: string;
  readonly row: Row;
  readonly kind: Kind;
}

const Cell = ({ name, row, kind }: CellProps) => {
  if (name === kind.status) return <Status row={row} />;
  const counts = row.counts?.[name];
  if (counts) return <Counts {...{ name, row, counts }} />;
  if (name === 'memberships') return <Memberships row={row} />;
  return <Value name={name} value={row.form[name]} />;
};

const Memberships = ({ row }: Pick<CellProps, 'row'>) => {
  const memberships = innerOf(row);
  if (memberships.length === 0)
    return (
      <a href={addressOf({ view: 'data', part: 'memberships', id: NEW, params: { user_id: row.key } })}>
        Add to an organization
      </a>
    );
  return (
    <ul class="lines">
      {memberships.map((membership) => (
        <li key={membership.id} class="cluster">
          {membership.about.split(' · ').map((text) => (
            <span key={text}>{text}</span>
          ))}
          <Status row={membership} />
        </li>
      ))}
    </ul>
  );
};

interface CountsProps extends Pick<CellProps, 'name' | 'row'> {
  readonly counts: NonNullable<Row['counts']>[string];
}

const Counts = ({ name, row, counts }: CountsProps) => {
  if (counts.length === 0) return <span class="quiet">none</span>;
  return (
    <a class="cluster counts" href={addressOf({ view: 'data', part: name, params: { query: row.title } })}>
      {counts.map(({ status, tone, count }) => (
        <span key={status} class={`status ${tone}`}>
          {count} {status}
        </span>
      ))}
    </a>
  );
};

interface PagerProps {
  readonly page: number;
  readonly size: number;
  readonly shown: number;
  readonly total: number;
}

const Pager = ({ page, size, shown, total }: PagerProps) => {
  const before = (page - 1) * size;
  const [first, last, all] = [before + 1, before + shown, total].map((count) => count.toLocaleString('en'));
  const turn = (to: number): void => {
    document.querySelector('.list')?.scrollTo(0, 0);
    filter({ page: to === 1 ? '' : String(to) });
  };
  return (
    <nav class="pager" aria-label="Pages">
      <span class="quiet digits">
        {first}–{last} of {all}
      </span>
      <button type="button" disabled={page <= 1} onClick={() => turn(page - 1)}>
        {ICONS.previous} Previous
      </button>
      <button type="button" disabled={page * size >= total} onClick={() => turn(page + 1)}>
        Next {ICONS.next}
      </button>
    </nav>
  );
};
