/**
 * Rows of one kind as a table. The server searches the rows and splits them into pages, so 100,000 rows are as fast as
 * a few.
 */
import { useEffect, useRef } from 'preact/hooks';
import { type KindName, type ResourcePage, type Row, textOf } from '../live/api.ts';
import { readClock } from '../live/clock.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { type Loaded, Loading } from '../live/loaded.tsx';
import { Buttons } from '../parts/actions.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Panel, Screen } from '../parts/screen.tsx';
import { SearchField } from '../parts/search.tsx';
import { Status } from '../parts/status.tsx';
import { toWords } from '../parts/words.ts';
import { useView } from '../route.ts';
import { concernOf, idOf, KINDS, type KindView, nameOf } from './kinds.ts';
import { hasPage, openPage } from './moves.ts';
import { RowPanel } from './row.tsx';
import { RowForm } from './row-form.tsx';
import { Value } from './value.tsx';

/** The id in the address while the user writes a new row. */
const NEW = 'new';

export const Resources = ({ kind: name }: { readonly kind: KindName }) => {
  const kind = KINDS[name];
  const { id, params, open, close, filter } = useView();
  const { query = '', page: page_token = '' } = params;
  const search = new URLSearchParams({ query, page_token });
  const page = useAnswer<ResourcePage>(`/resources/${name}?${search}`, concernOf(kind));
  useReadAtNextEnd(page);
  const panel =
    id === NEW ? (
      <Panel title={`New ${kind.one}`} close={close}>
        <RowForm kind={name} onDone={open} />
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
            find={(text) => filter({ query: text, page: '', from: '' })}
          />
          {kind.form && (
            <Buttons actions={[{ label: `New ${kind.one}`, isPrimary: true, choose: () => open(NEW) }]} />
          )}
        </>
      }
      panel={panel}
    >
      <Loading from={page}>
        {(value) =>
          value.rows.length === 0 ? (
            <p class="empty">
              {query === '' ? `No ${kind.title.toLowerCase()} yet.` : `Nothing matches “${query}”.`}
            </p>
          ) : (
            <>
              <Table kind={kind} rows={value.rows} chosen={id} choose={(row) => open(idOf(kind, row))} />
              <Pager
                page={value}
                from={Number(params.from ?? 1)}
                turn={(token, from) => filter({ page: token, from: String(from) })}
              />
            </>
          )
        }
      </Loading>
    </Screen>
  );
};

interface TableProps {
  readonly kind: KindView;
  readonly rows: readonly Row[];
  /** The id of the row that is open. */
  readonly chosen: string;
  readonly choose: (row: Row) => void;
}

/** The first column names a row and opens it. */
const Table = ({ kind, rows, chosen, choose }: TableProps) => (
  <table class="rows">
    <caption class="unseen">{kind.title}</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        {kind.columns.map((member, place) => (
          <th scope="col" key={member} class={wideAfterFirst(place)}>
            {toWords(member)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={idOf(kind, row)} class={idOf(kind, row) === chosen ? 'chosen' : undefined}>
          <th scope="row">
            <button type="button" class="name" title={nameOf(kind, row)} onClick={() => choose(row)}>
              <span>{nameOf(kind, row)}</span>
              <small>{kind.about.map((member) => textOf(row[member])).join(' · ')}</small>
            </button>
          </th>
          {kind.columns.map((member, place) => (
            <td key={member} class={wideAfterFirst(place)}>
              {place === 0 && kind.moves ? (
                <MovableStatus kind={kind} row={row} member={member} />
              ) : (
                <Value name={member} value={row[member]} />
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** A small screen shows the first column only. */
const wideAfterFirst = (place: number): string | undefined => (place === 0 ? undefined : 'wide');

interface MovableStatusProps {
  readonly kind: KindView;
  readonly row: Row;
  readonly member: string;
}

/** The status as a menu of moves. An account that no user has authorized also gets a button. */
const MovableStatus = ({ kind, row, member }: MovableStatusProps) => {
  const { name: environment } = useEnvironment();
  const of = nameOf(kind, row);
  return (
    <div class="cluster">
      <Status status={textOf(row[member])} of={of} moves={kind.moves?.(environment, row) ?? []} />
      {row.status !== 'ACTIVE' && hasPage(row) && (
        <button
          type="button"
          class="small"
          aria-label={`Authorize ${of}`}
          onClick={() => openPage(environment, row)}
        >
          Authorize {ICONS.open}
        </button>
      )}
    </div>
  );
};

interface PagerProps {
  readonly page: ResourcePage;
  readonly from: number;
  readonly turn: (token: string, from: number) => void;
}

/**
 * The buttons for the next and the previous page. Scrolls to the top.
 * @param from the number of the first row on the page
 */
const Pager = ({
  page: { rows, next_page_token: next, prev_page_token: previous, total_size: total },
  from,
  turn,
}: PagerProps) => {
  const place = useRef<HTMLElement>(null);
  const shown = useRef(rows.length);
  const go = (token: string, to: number): void => {
    place.current?.closest('.list')?.scrollTo(0, 0);
    turn(token, Math.max(1, to));
  };
  if (next !== '') shown.current = rows.length; // the last page may be shorter than the others
  if (next === '' && previous === '') return null;
  const [first, last, all] = [from, from + rows.length - 1, total].map((count) => count.toLocaleString('en'));
  return (
    <nav class="pager" aria-label="Pages" ref={place}>
      <span class="quiet digits">
        {first}–{last} of {all}
      </span>
      <button type="button" disabled={previous === ''} onClick={() => go(previous, from - shown.current)}>
        {ICONS.previous} Previous
      </button>
      <button type="button" disabled={next === ''} onClick={() => go(next, from + rows.length)}>
        Next {ICONS.next}
      </button>
    </nav>
  );
};

/** The longest timer that browsers allow, in milliseconds; no page stays open longer. */
const LONGEST = 2 ** 31 - 1;

/** Rows change without a call when they expire. Reads the page again when the next row expires. */
const useReadAtNextEnd = ({ value, read }: Loaded<ResourcePage>): void => {
  const { clock } = useEnvironment();
  useEffect(() => {
    if (clock.mode === 'frozen') return;
    const now = readClock(clock);
    const ends = (value?.rows ?? []).flatMap(({ token_expires_at, expires_at }) =>
      [token_expires_at, expires_at].map((end) => Date.parse(String(end))),
    );
    const next = Math.min(...ends.filter((end) => end > now));
    if (next - now > LONGEST) return;
    const timer = setTimeout(read, next - now + 1);
    return () => clearTimeout(timer);
  }, [value, clock]);
};
