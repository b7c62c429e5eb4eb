/**
 * Rows of one kind as a table. The server searches the rows and splits them into pages, so 100,000 rows are as fast as
 * a few.
 */
import { useEffect, useRef } from 'preact/hooks';
import { type KindName, type ResourcePage, type Row, textOf } from '../live/api.ts';
import { readClock } from '../live/clock.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { type Loaded, Loading } from '../live/loaded.tsx';
import { Buttons } from '../parts/buttons.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Panel, Screen, SearchField, toWords } from '../parts/layout.tsx';
import { useView } from '../route.ts';
import { idOf, KINDS, type KindView } from './kinds.ts';
import { hasPage, openPage } from './moves.ts';
import { RowPanel } from './row.tsx';
import { RowForm } from './row-form.tsx';
import { Status, Value } from './value.tsx';

/** The id in the address while the user writes a new row. */
const NEW = 'new';

export const Resources = ({ kind: name }: { readonly kind: KindName }) => {
  const kind = KINDS[name];
  const plural = kind.title.toLowerCase();
  const { id, params, open, close, filter } = useView();
  const { query = '', page: page_token = '', from = '1' } = params;
  const search = new URLSearchParams({ query, page_token });
  const page = useAnswer<ResourcePage>(`/resources/${name}?${search}`, 'change');
  useReadAtNextEnd(page);
  const actions = [
    <SearchField
      label={`Search ${plural}`}
      text={query}
      find={(text) => filter({ query: text, page: '', from: '' })}
    />,
    kind.form && (
      <Buttons actions={[{ label: `New ${kind.one}`, isPrimary: true, choose: () => open(NEW) }]} />
    ),
  ];
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
      actions={actions}
      panel={panel}
    >
      <Loading from={page}>
        {(value) =>
          value.rows.length === 0 ? (
            <p class="empty">{query === '' ? `No ${plural} yet.` : `Nothing matches “${query}”.`}</p>
          ) : (
            <>
              <Table kind={kind} rows={value.rows} chosen={id} choose={open} />
              <Pager
                page={value}
                from={Number(from)}
                turn={(token, first) => filter({ page: token, from: String(first) })}
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
  readonly choose: (id: string) => void;
}

/** The first column names a row and opens it. A small screen shows only one other column. */
const Table = ({ kind, rows, chosen, choose }: TableProps) => {
  const columns = kind.columns.map((member, place) => ({ member, width: place === 0 ? undefined : 'wide' }));
  return (
    <table class="rows">
      <caption class="unseen">{kind.title}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          {columns.map(({ member, width }) => (
            <th scope="col" key={member} class={width}>
              {toWords(member)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const id = idOf(kind, row);
          const name = textOf(row[kind.name]);
          return (
            <tr key={id} class={id === chosen ? 'chosen' : undefined}>
              <th scope="row">
                <button type="button" class="name" title={name} onClick={() => choose(id)}>
                  <span>{name}</span>
                  <small>{kind.about.map((member) => textOf(row[member])).join(' · ')}</small>
                </button>
              </th>
              {columns.map(({ member, width }) => (
                <td key={member} class={width}>
                  {kind.moves && !width ? (
                    <MovableStatus status={textOf(row[member])} of={name} row={row} moves={kind.moves} />
                  ) : (
                    <Value name={member} value={row[member]} />
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

interface MovableStatusProps extends Required<Pick<KindView, 'moves'>> {
  readonly status: string;
  /** The name of the row. */
  readonly of: string;
  readonly row: Row;
}

/** The status as a menu of moves. An account that no user has authorized also gets a button. */
const MovableStatus = ({ status, of, row, moves }: MovableStatusProps) => {
  const { name: environment } = useEnvironment();
  const authorize = () => openPage(environment, row);
  return (
    <div class="cluster">
      <Status status={status} of={of} moves={moves(environment, row)} />
      {row.status !== 'ACTIVE' && hasPage(row) && (
        <button type="button" class="small" aria-label={`Authorize ${of}`} onClick={authorize}>
          Authorize {ICONS.open}
        </button>
      )}
    </div>
  );
};

interface PagerProps {
  readonly page: ResourcePage;
  /** The number of the first row on the page. */
  readonly from: number;
  readonly turn: (token: string, from: number) => void;
}

/** The buttons for the next and the previous page. They scroll to the top. */
const Pager = ({ page, from, turn }: PagerProps) => {
  const { rows, next_page_token: next, prev_page_token: previous, total_size: total } = page;
  const place = useRef<HTMLElement>(null);
  const shown = useRef(rows.length);
  if (next !== '') shown.current = rows.length; // the last page may be shorter than the others
  if (next === '' && previous === '') return null;
  const [first, last, all] = [from, from + rows.length - 1, total].map((count) => count.toLocaleString('en'));
  const go = (token: string, to: number): void => {
    place.current?.closest('.list')?.scrollTo(0, 0);
    turn(token, Math.max(1, to));
  };
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
    const ends = (value?.rows ?? [])
      .flatMap(({ token_expires_at, expires_at }) => [token_expires_at, expires_at])
      .map((end) => Date.parse(String(end)) - now);
    const next = Math.min(...ends.filter((rest) => rest > 0));
    if (next > LONGEST) return;
    const timer = setTimeout(read, next + 1);
    return () => clearTimeout(timer);
  }, [value, clock]);
};
