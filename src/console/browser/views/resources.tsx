/** One kind of resources as a table: searched and paged by the server, so that it is as quick with 100,000 rows. */
import { useEffect } from 'preact/hooks';
import type { Row, Schemas } from '../live/api.ts';
import { readClock } from '../live/clock.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { Buttons } from '../parts/actions.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Panel, Screen } from '../parts/screen.tsx';
import { SearchField } from '../parts/search.tsx';
import { useView } from '../route.ts';
import { KINDS, type KindView } from './kinds.tsx';
import { RowForm, RowPanel } from './row.tsx';

/** What the address has in the place of an id while a new row is written. */
const NEW = 'new';

export const Resources = ({ kind: name }: { readonly kind: Schemas['ResourceKind'] }) => {
  const kind = KINDS[name];
  const { changes } = useEnvironment();
  const { id, params, open, close, filter } = useView();
  const { query = '', page: page_token = '' } = params;
  const search = new URLSearchParams({ query, page_token });
  const page = useAnswer<Schemas['ResourcePage']>(`/resources/${name}?${search}`, changes);
  useReadAtNextEnd(page.value?.rows);
  const panel =
    id === NEW ? (
      <Panel title={`New ${kind.one}`} close={close}>
        <RowForm kind={name} onDone={close} />
      </Panel>
    ) : (
      id !== '' && <RowPanel key={id} name={name} id={id} rows={page.value?.rows} close={close} />
    );
  return (
    <Screen
      title={kind.title}
      count={page.value?.total_size.toLocaleString('en')}
      actions={
        <>
          <SearchField
            label={`Search ${kind.title.toLowerCase()}`}
            text={query}
            find={(text) => filter({ query: text, page: '' })}
          />
          {kind.form && (
            <Buttons actions={[{ label: `New ${kind.one}`, isPrimary: true, choose: () => open(NEW) }]} />
          )}
        </>
      }
      panel={panel}
    >
      <Loading from={page}>
        {(value) => (
          <>
            <Table kind={kind} rows={value.rows} chosen={id} choose={(row) => open(kind.id(row))} />
            <Pager page={value} turn={(token) => filter({ page: token })} />
          </>
        )}
      </Loading>
    </Screen>
  );
};

/** The first column names a row and opens it. */
const Table = ({
  kind,
  rows,
  chosen,
  choose,
}: {
  readonly kind: KindView;
  readonly rows: readonly Row[];
  /** The id of the row that is open. */
  readonly chosen: string;
  readonly choose: (row: Row) => void;
}) => {
  const { name: environment } = useEnvironment();
  if (rows.length === 0) return <p class="empty">Nothing here.</p>;
  return (
    <table class="rows">
      <caption class="unseen">{kind.title}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          {kind.columns.map(({ title, isWide }) => (
            <th scope="col" key={title} class={isWide && 'wide'}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={kind.id(row)} class={kind.id(row) === chosen ? 'chosen' : undefined}>
            <th scope="row">
              <button type="button" class="name" onClick={() => choose(row)}>
                <span>{kind.name(row)}</span>
                <small>{kind.about(row)}</small>
              </button>
            </th>
            {kind.columns.map(({ title, isWide, cell }) => (
              <td key={title} class={isWide && 'wide'}>
                {cell(row, environment)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Turning pages, where there is more than one. */
const Pager = ({
  page: { next_page_token: next, prev_page_token: previous },
  turn,
}: {
  readonly page: Schemas['ResourcePage'];
  readonly turn: (token: string) => void;
}) =>
  next === '' && previous === '' ? null : (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={previous === ''} onClick={() => turn(previous)}>
        {ICONS.previous} Previous
      </button>
      <button type="button" disabled={next === ''} onClick={() => turn(next)}>
        Next {ICONS.next}
      </button>
    </nav>
  );

/** Milliseconds; a timer takes no more, and no page is open for longer. */
const LONGEST = 2 ** 31 - 1;

/** Rows change without any call when something of theirs ends; the next such instant is known, and they are read again then. */
const useReadAtNextEnd = (rows: readonly Row[] = []): void => {
  const { clock, changes } = useEnvironment();
  useEffect(() => {
    if (clock.mode === 'frozen') return;
    const now = readClock(clock);
    const ends = rows.flatMap(({ token_expires_at, expires_at }) =>
      [token_expires_at, expires_at].map((end) => Date.parse(String(end))),
    );
    const next = Math.min(...ends.filter((end) => end > now));
    if (next - now > LONGEST) return;
    const timer = setTimeout(() => changes.set(changes.get() + 1), next - now + 1);
    return () => clearTimeout(timer);
  }, [rows, clock, changes]);
};
