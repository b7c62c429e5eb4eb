/** Data: the kinds at the left, the rows of one kind, and the open row. The server searches. */
import { here, type Kind, type Row } from '../live/api.ts';
import { Loading, readRows, useEnvironment, useKind, useLive, useRows } from '../live/live.tsx';
import { act } from '../parts/acts.ts';
import { Buttons } from '../parts/buttons.tsx';
import { Panel, reveal, Screen, SearchField, toWords } from '../parts/layout.tsx';
import { innerOf } from '../parts/moves.ts';
import { addressOf, filter, go, useRoute } from '../route.ts';
import { RowForm } from './form.tsx';
import { RowPanel } from './row.tsx';
import { Status, Value } from './value.tsx';

/** The id in the page's address while the user fills in the form of a new row. */
const NEW = 'new';

interface OfKind {
  readonly kind: Kind;
}

export const Data = () => {
  const { kinds } = useEnvironment();
  const { part } = useRoute();
  const kind = kinds.find((each) => (part === '' ? each.group : each.kind === part));
  if (kinds.length === 0) return <p class="loading">Loading…</p>;
  if (kind) return <Rows key={kind.kind} kind={kind} />;
  return (
    <Screen title={`There is no kind “${part}”`} side={<Kinds />}>
      <p>The address may be old or misspelt. Choose a kind.</p>
    </Screen>
  );
};

/** The open row, or the form of a new one. */
const OpenRow = ({ kind }: OfKind) => {
  const { id, params } = useRoute();
  const close = () => go({ id: '' });
  if (id === '') return null;
  if (id !== NEW) return <RowPanel key={`${kind.kind} ${id}`} {...{ kind, id, close }} />;
  return (
    <Panel title={`New ${kind.one}`} close={close}>
      <RowForm kind={kind} onDone={(made) => go({ id: made })} given={params} />
    </Panel>
  );
};

const Kinds = ({ chosen }: { readonly chosen?: string }) => {
  const { kinds } = useEnvironment();
  return (
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
};

const formatCount = (count: number): string => count.toLocaleString('en');

/** How many rows are shown at first, and then more each time; and the most that the mock sends. */
const SHOWN = 50;
const MOST_SHOWN = 1_000;

const Rows = ({ kind }: OfKind) => {
  const { query = '', most = '' } = useRoute().params;
  const asked = { ...(query !== '' && { query }), most: Number(most) || SHOWN };
  const found = useRows(`${kind.kind} ${JSON.stringify(asked)}`, () => readRows(kind.kind, asked));
  const create = { label: `New ${kind.one}`, isPrimary: true, choose: () => go({ id: NEW }) };
  const clear = () => act('Clear the e-mails', () => here.DELETE('/outbox'), 'The e-mails are gone.');
  const isOutbox = kind.kind === 'emails';
  const more = { label: 'Show more', choose: () => filter({ most: `${asked.most + SHOWN}` }) };
  return (
    <Screen
      title={kind.label}
      count={found.value && formatCount(found.value.total)}
      actions={[
        <SearchField
          label="Search all data"
          text={query}
          find={(text) => filter({ query: text, most: '' })}
        />,
        isOutbox && <Buttons actions={[{ label: 'Clear', choose: clear }]} />,
        kind.fields.length > 0 && <Buttons actions={[create]} />,
      ]}
      panel={<OpenRow kind={kind} />}
      side={<Kinds chosen={kind.kind} />}
    >
      <Loading from={found}>
        {({ rows, total }) => (
          <>
            {total === 0 && (
              <p class="empty">
                {query === '' ? `No ${kind.label.toLowerCase()} yet.` : `Nothing here matches “${query}”.`}
              </p>
            )}
            {rows.length > 0 && <Table kind={kind} rows={rows} />}
            {rows.length < total && (
              <p class="cluster more">
                {rows.length < MOST_SHOWN && <Buttons actions={[more]} />}
                <span class="quiet digits">
                  {rows.length} of {formatCount(total)}. The search finds them all.
                </span>
              </p>
            )}
          </>
        )}
      </Loading>
      {query !== '' && <Elsewhere kind={kind} query={query} />}
    </Screen>
  );
};

/** What a search finds in other kinds. */
const Elsewhere = ({ kind: { kind: shown }, query }: OfKind & { readonly query: string }) => {
  const { kinds } = useEnvironment();
  const { value } = useLive(query, () => readRows('any', { query }));
  const rows = value?.rows.filter(({ kind }) => kind !== shown) ?? [];
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

const Table = ({ kind, rows }: OfKind & { readonly rows: readonly Row[] }) => {
  const { id } = useRoute();
  const { kinds } = useEnvironment();
  const labelOf = (name: string): string =>
    kinds.find((each) => each.kind === name)?.label ?? toWords(name.replace(/_id$/, ''));
  return (
    <table class="rows">
      <caption class="unseen">{kind.label}</caption>
      <thead>
        <tr>
          <th scope="col">{toWords(kind.one)}</th>
          {kind.columns.map((name) => (
            <th key={name} scope="col">
              {labelOf(name)}
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
                <Cell {...{ name, row, kind }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** The status, the rows of another kind, or a member. */
const Cell = ({ name, row, kind }: OfKind & { readonly name: string; readonly row: Row }) => {
  const { tones } = useKind(name) ?? {};
  const counts = row.counts?.[name];
  if (name === kind.status) return <Status row={row} />;
  if (!tones) return <Value name={name} value={row.form[name]} />;
  if (!counts) return <Memberships row={row} />;
  if (Object.keys(counts).length === 0) return <span class="quiet">none</span>;
  return (
    <a class="cluster counts" href={addressOf({ view: 'data', part: name, params: { query: row.title } })}>
      {Object.entries(counts).map(([status, count]) => (
        <span key={status} class={`status ${tones[status] ?? 'quiet'}`}>
          {count} {status}
        </span>
      ))}
    </a>
  );
};

const Memberships = ({ row }: { readonly row: Row }) => {
  const rows = innerOf(row);
  const add = { view: 'data', part: 'memberships', id: NEW, params: { user_id: row.key } };
  if (rows.length === 0) return <a href={addressOf(add)}>Add to an organization</a>;
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
