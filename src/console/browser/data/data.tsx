/** Data: the kinds at the left, the rows of one kind, and the open row. The server searches, and sends a page. */
import type { ComponentChildren } from 'preact';
import { here, type Kind, type Row } from '../live/api.ts';
import { Loading, useLive } from '../live/loaded.tsx';
import { act } from '../parts/acts.ts';
import { Buttons } from '../parts/buttons.tsx';
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
  const kind = kinds.find((each) => (part === '' ? each.group : each.kind === part));
  if (kinds.length === 0) return <p class="loading">Loading…</p>;
  const side = <Kinds kinds={kinds} chosen={kind?.kind} />;
  if (!kind)
    return (
      <Screen title={`There is no kind “${part}”`} side={side}>
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
      id !== '' && <RowPanel key={`${kind.kind} ${id}`} {...{ kind, kinds, id, close }} />
    );
  return <Rows key={kind.kind} {...{ kind, kinds, panel, side }} />;
};

interface KindsProps {
  readonly kinds: readonly Kind[];
  readonly chosen: string | undefined;
}

const Kinds = ({ kinds, chosen }: KindsProps) => (
  <nav class="side" aria-label="Kinds of rows">
    {[...new Set(kinds.map(({ group }) => group))].filter(Boolean).map((group) => (
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
                    {formatCount(count)}
                  </small>
                </a>
              </li>
            ))}
        </ul>
      </div>
    ))}
  </nav>
);

const formatCount = (count: number): string => count.toLocaleString('en');

interface RowsProps {
  readonly kind: Kind;
  readonly kinds: readonly Kind[];
  readonly panel: ComponentChildren;
  readonly side: ComponentChildren;
}

const Rows = ({ kind, kinds, panel, side }: RowsProps) => {
  const { query = '', page = '1' } = useRoute().params;
  const asked = { ...(query !== '' && { query }), page: Number(page) || 1 };
  const found = useRows(`${kind.kind} ${JSON.stringify(asked)}`, () => readRows(kind.kind, asked));
  const create = { label: `New ${kind.one}`, isPrimary: true, choose: () => go({ id: NEW }) };
  const clear = () => act('Clear the e-mails', () => here.DELETE('/outbox'), 'The e-mails are gone.');
  const isOutbox = kind.kind === 'emails';
  return (
    <Screen
      title={kind.label}
      count={found.value && formatCount(found.value.total)}
      actions={[
        <SearchField
          label="Search all data"
          text={query}
          find={(text) => filter({ query: text, page: '' })}
        />,
        isOutbox && <Buttons actions={[{ label: 'Clear', choose: clear }]} />,
        kind.fields.length > 0 && <Buttons actions={[create]} />,
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
            {rows.length > 0 && <Table {...{ kind, kinds, rows }} />}
            {total > page_size && <Pager page={asked.page} size={page_size} total={total} />}
          </>
        )}
      </Loading>
      {query !== '' && <Elsewhere kind={kind} query={query} kinds={kinds} />}
    </Screen>
  );
};

type SomeProps = Pick<RowsProps, 'kind' | 'kinds'>;

/** What a search finds in other kinds. */
const Elsewhere = ({ kind, query, kinds }: SomeProps & { readonly query: string }) => {
  const { value } = useLive(query, () => readRows('any', { query }));
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

const Table = ({ kind, kinds, rows }: SomeProps & { readonly rows: readonly Row[] }) => {
  const { id } = useRoute();
  const kindOf = (name: string) => kinds.find((each) => each.kind === name);
  return (
    <table class="rows">
      <caption class="unseen">{kind.label}</caption>
      <thead>
        <tr>
          {[
            toWords(kind.one),
            ...kind.columns.map((name) => kindOf(name)?.label ?? toWords(name.replace(/_id$/, ''))),
          ].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} class={row.id === id ? 'chosen' : undefined}>
            <th scope="row">
              <button type="button" class="name" title={row.title} onClick={() => openRow(row)}>
                <span>{row.title}</span>
                {row.about !== '' && <small>{row.about}</small>}
              </button>
            </th>
            {kind.columns.map((name) => (
              <td key={name}>
                {name === kind.status ? (
                  <Status row={row} />
                ) : (
                  <Cell name={name} row={row} of={kindOf(name)} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

interface CellProps {
  readonly name: string;
  readonly row: Row;
  /** The kind of rows that the column shows, if it does not show a member. */
  readonly of: Kind | undefined;
}

const Cell = ({ name, row, of }: CellProps) => {
  const counts = row.counts?.[name];
  if (!of) return <Value name={name} value={row.form[name]} />;
  if (!counts) return <Inner row={row} kind={of} />;
  if (Object.keys(counts).length === 0) return <span class="quiet">none</span>;
  return (
    <a class="cluster counts" href={addressOf({ view: 'data', part: name, params: { query: row.title } })}>
      {Object.entries(counts).map(([status, count]) => (
        <span key={status} class={`status ${of.tones[status] ?? 'quiet'}`}>
          {count} {status}
        </span>
      ))}
    </a>
  );
};

/** The memberships of a user. */
const Inner = ({ row, kind }: { readonly row: Row; readonly kind: Kind }) => {
  const rows = innerOf(row);
  const params = { user_id: row.key };
  if (rows.length === 0)
    return <a href={addressOf({ view: 'data', part: kind.kind, id: NEW, params })}>Add to an organization</a>;
  return (
    <ul class="lines">
      {rows.map((each) => (
        <li key={each.id} class="cluster">
          {each.about.split(' · ').map((text) => (
            <span key={text}>{text}</span>
          ))}
          <Status row={each} />
        </li>
      ))}
    </ul>
  );
};

interface PagerProps {
  readonly page: number;
  readonly size: number;
  readonly total: number;
}

const Pager = ({ page, size, total }: PagerProps) => {
  const turn = (to: number): void => {
    document.querySelector('.list')?.scrollTo(0, 0);
    filter({ page: to === 1 ? '' : String(to) });
  };
  const [first = '', last] = [(page - 1) * size + 1, Math.min(page * size, total)].map(formatCount);
  return (
    <nav class="pager" aria-label="Pages">
      <span class="quiet digits">
        {first}–{last} of {formatCount(total)}
      </span>
      <button type="button" disabled={page <= 1} onClick={() => turn(page - 1)}>
        ‹ Previous
      </button>
      <button type="button" disabled={page * size >= total} onClick={() => turn(page + 1)}>
        Next ›
      </button>
    </nav>
  );
};
