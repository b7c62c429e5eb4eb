/** Data: the kinds at the left, the rows of one kind, and the open row. The server searches, and sends a page. */
import type { ComponentChildren } from 'preact';
import { answer, api, type KindName, type Row } from '../live/api.ts';
import { useLive } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { act } from '../parts/acts.ts';
import { Buttons, ICONS } from '../parts/buttons.tsx';
import { Panel, reveal, Screen, SearchField, toWords } from '../parts/layout.tsx';
import { type Kind, membershipsOf, useKinds } from '../parts/moves.ts';
import { addressOf, filter, go, useRoute, within } from '../route.ts';
import { RowForm } from './form.tsx';
import { RowPanel } from './row.tsx';
import { useRows } from './use-rows.ts';
import { Status, Value } from './value.tsx';

/** The id in the page's address while the user fills in the form of a new row. */
const NEW = 'new';

export const Data = () => {
  const kinds = useKinds();
  const { part, id, params } = useRoute();
  const shown = kinds.filter(({ group }) => group);
  const kind = kinds.find((each) => each.kind === (part || 'users'));
  if (kinds.length === 0) return <p class="loading">Loading…</p>;
  if (!kind)
    return (
      <Screen title={`There is no kind “${part}”`} side={<Kinds kinds={shown} chosen="" />}>
        <p>The address may be old or misspelt. Choose a kind.</p>
      </Screen>
    );
  const close = () => go({ id: '' });
  const open = (opened: KindName, row: string) => go({ part: opened, id: row, params });
  const panel =
    id === NEW ? (
      <Panel title={`New ${kind.one}`} close={close}>
        <RowForm kind={kind} onDone={(made) => go({ id: made })} given={params} />
      </Panel>
    ) : (
      id !== '' && <RowPanel key={`${kind.kind} ${id}`} kind={kind} id={id} kinds={kinds} close={close} />
    );
  return (
    <Rows
      key={kind.kind}
      {...{ kind, kinds, open, panel }}
      side={<Kinds kinds={shown} chosen={kind.kind} />}
    />
  );
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
  readonly open: (kind: KindName, id: string) => void;
  readonly panel: ComponentChildren;
  readonly side: ComponentChildren;
}

const Rows = ({ kind, kinds, open, panel, side }: RowsProps) => {
  const { id, params } = useRoute();
  const { query = '', page = '1' } = params;
  const asked = { ...(query !== '' && { query }), page: Number(page) || 1 };
  const path = within({ kind: kind.kind });
  const found = useRows(`${kind.kind} ${JSON.stringify(asked)}`, () =>
    answer(api.GET('/environments/{env}/rows/{kind}', { params: { path, query: asked } })),
  );
  const create = { label: `New ${kind.one}`, isPrimary: true, choose: () => open(kind.kind, NEW) };
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
            {rows.length > 0 && <Table {...{ kind, kinds, rows, open }} chosen={id} />}
            {total > page_size && (
              <Pager from={(asked.page - 1) * page_size + 1} shown={rows.length} {...{ total, page_size }} />
            )}
          </>
        )}
      </Loading>
      {also && <Also kind={also} {...{ kinds, open }} />}
      {query !== '' && <Elsewhere kind={kind} query={query} {...{ kinds, open }} />}
    </Screen>
  );
};

type SomeProps = Pick<RowsProps, 'kind' | 'kinds' | 'open'>;

const Also = ({ kind, kinds, open }: SomeProps) => {
  const path = within({ kind: kind.kind });
  const { value } = useRows(kind.kind, () =>
    answer(api.GET('/environments/{env}/rows/{kind}', { params: { path, query: {} } })),
  );
  if (!value || value.total === 0) return null;
  return (
    <section aria-labelledby="also">
      <h2 id="also">{kind.label}</h2>
      <Table {...{ kind, kinds, open }} rows={value.rows} chosen="" />
    </section>
  );
};

/** What a search finds in other kinds. */
const Elsewhere = ({ kind, query, kinds, open }: SomeProps & { readonly query: string }) => {
  const params = { path: within(), query: { query } };
  const { value } = useLive(`elsewhere ${query}`, () =>
    answer(api.GET('/environments/{env}/rows', { params })),
  );
  const rows = value?.rows.filter((row) => row.kind !== kind.kind) ?? [];
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="elsewhere">
      <h2 id="elsewhere">Elsewhere</h2>
      <ul class="parts">
        {rows.map((row) => (
          <li key={row.kind + row.id}>
            <Buttons
              className="link"
              actions={[{ label: row.title, choose: () => open(row.kind, row.id) }]}
            />
            <small>
              {kinds.find((each) => each.kind === row.kind)?.label} · {row.about}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
};

const ClearOutbox = () => {
  const clear = () => answer(api.DELETE('/environments/{env}/outbox', { params: { path: within() } }));
  return (
    <Buttons
      actions={[{ label: 'Clear', choose: () => act('Clear the e-mails', clear, 'The e-mails are gone.') }]}
    />
  );
};

interface TableProps extends SomeProps {
  readonly rows: readonly Row[];
  readonly chosen: string;
}

const Table = ({ kind, kinds, rows, chosen, open }: TableProps) => (
  <table class="rows">
    <caption class="unseen">{kind.label}</caption>
    <thead>
      <tr>
        <th scope="col">{toWords(kind.one)}</th>
        {kind.columns.map((name) => (
          <th key={name} scope="col">
            {name === 'memberships' ? 'Organizations and roles' : toWords(name.replace(/_id$/, ''))}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} class={row.id === chosen ? 'chosen' : undefined}>
          <th scope="row">
            <button type="button" class="name" title={row.title} onClick={() => open(row.kind, row.id)}>
              <span>{row.title}</span>
              {row.about !== '' && <small>{row.about}</small>}
            </button>
          </th>
          {kind.columns.map((name) => (
            <td key={name}>
              <Cell {...{ name, row, kind, kinds }} />
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
  readonly kinds: readonly Kind[];
}

const Cell = ({ name, row, kind, kinds }: CellProps) => {
  if (name === kind.status) return <Status row={row} kinds={kinds} />;
  if (name === 'memberships') return <Memberships row={row} kinds={kinds} />;
  if (name === 'accounts') return <Accounts row={row} kinds={kinds} />;
  return <Value name={name} value={row.form[name]} />;
};

const Memberships = ({ row, kinds }: Pick<CellProps, 'row' | 'kinds'>) => {
  const memberships = membershipsOf(row);
  if (memberships.length === 0)
    return (
      <a href={addressOf({ view: 'data', part: 'memberships', id: NEW, params: { user_id: row.title } })}>
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
          <Status row={membership} kinds={kinds} />
        </li>
      ))}
    </ul>
  );
};

const Accounts = ({ row, kinds }: Pick<CellProps, 'row' | 'kinds'>) => {
  const tones = kinds.find(({ kind }) => kind === 'connected_accounts')?.tones ?? {};
  const counts = Object.entries(row.accounts ?? {});
  if (counts.length === 0) return <span class="quiet">none</span>;
  return (
    <a
      class="cluster counts"
      href={addressOf({ view: 'data', part: 'connected_accounts', params: { query: row.title } })}
    >
      {counts.map(([status, count]) => (
        <span key={status} class={`status ${tones[status] ?? 'quiet'}`}>
          {count} {status}
        </span>
      ))}
    </a>
  );
};

interface PagerProps {
  readonly from: number;
  readonly shown: number;
  readonly total: number;
  readonly page_size: number;
}

const Pager = ({ from, shown, total, page_size }: PagerProps) => {
  const page = (from - 1) / page_size + 1;
  const [first, last, all] = [from, from + shown - 1, total].map((count) => count.toLocaleString('en'));
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
      <button type="button" disabled={page * page_size >= total} onClick={() => turn(page + 1)}>
        Next {ICONS.next}
      </button>
    </nav>
  );
};
