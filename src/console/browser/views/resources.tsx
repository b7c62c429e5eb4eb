/** Rows of one kind as a table. The server searches rows and sends one page, so 100,000 rows are as fast as a few. */
import { useEffect } from 'preact/hooks';
import { type KindName, type ResourcePage, type Row, textOf } from '../live/api.ts';
import { readClock } from '../live/clock.ts';
import { useAnswer, useEnvironment } from '../live/environment.tsx';
import { type Loaded, Loading } from '../live/loaded.tsx';
import { Buttons, ICONS } from '../parts/buttons.tsx';
import { Panel, Screen, SearchField, toWords } from '../parts/layout.tsx';
import { useView } from '../route.ts';
import { idOf, KINDS, type KindView, oneOf } from './kinds.ts';
import { hasPage, openPage } from './moves.ts';
import { RowPanel } from './row.tsx';
import { RowForm } from './row-form.tsx';
import { Table } from './table.tsx';
import { Status, Value } from './value.tsx';

const PAGE_SIZE = 50;

/** The id in the page's address while the user fills in the form of a new row. */
const NEW = 'new';

export const Resources = ({ kind: name }: { readonly kind: KindName }) => {
  const kind = KINDS[name];
  const [one, plural] = [oneOf(kind), kind.title.toLowerCase()];
  const { name: environment } = useEnvironment();
  const { id, params, open, close, filter } = useView();
  const { query = '', page: page_token = '' } = params;
  const search = new URLSearchParams({ query, page_token, page_size: String(PAGE_SIZE) });
  const page = useAnswer<ResourcePage>(`/resources/${name}?${search}`, 'change');
  const count = page.value?.total_size.toLocaleString('en');
  useReadAtNextEnd(page);
  const find = (text: string) => filter({ query: text, page: '' });
  const actions = [
    <SearchField label={`Search ${plural}`} text={query} find={find} />,
    kind.form && <Buttons actions={[{ label: `New ${one}`, isPrimary: true, choose: () => open(NEW) }]} />,
  ];
  const panel =
    id === NEW ? (
      <Panel title={`New ${one}`} close={close}>
        <RowForm kind={name} onDone={open} />
      </Panel>
    ) : (
      id !== '' && <RowPanel key={id} name={name} id={id} page={page.value} close={close} />
    );
  return (
    <Screen title={kind.title} {...{ count, actions, panel }}>
      <Loading from={page}>
        {(value) =>
          value.total_size === 0 ? (
            <p class="empty">{query === '' ? `No ${plural} yet.` : `Nothing matches “${query}”.`}</p>
          ) : (
            <>
              <Table
                className="rows"
                caption={kind.title}
                columns={columnsOf(kind, environment)}
                rows={value.rows}
                idOf={(row) => idOf(kind, row)}
                nameOf={(row) => textOf(row[kind.name])}
                chosen={id}
                open={open}
              />
              {presentPager(value, filter)}
            </>
          )
        }
      </Loading>
    </Screen>
  );
};

const columnsOf = (kind: KindView, environment: string) => {
  const [moved] = kind.moves ? kind.columns : [];
  const columns = kind.columns.map((member) => {
    const presentValue = (row: Row) => <Value name={member} value={row[member]} />;
    return [toWords(member), member === moved ? presentStatus(kind, environment, member) : presentValue];
  });
  const presentName = (row: Row) => {
    const about = kind.about.map((member) => textOf(row[member])).join(' · ');
    return [<span key="name">{textOf(row[kind.name])}</span>, <small key="about">{about}</small>];
  };
  return { Name: presentName, ...Object.fromEntries(columns) };
};

/** A status with a menu of actions. An account that is not active also gets a button to authorize it. */
const presentStatus = (kind: KindView, environment: string, member: string) => (row: Row) => {
  const of = textOf(row[kind.name]);
  const authorize = () => openPage(environment, row);
  return (
    <div class="cluster">
      <Status status={textOf(row[member])} of={of} moves={kind.moves?.(environment, row) ?? []} />
      {row.status !== 'ACTIVE' && hasPage(row) && (
        <button type="button" class="small" aria-label={`Authorize ${of}`} onClick={authorize}>
          Authorize {ICONS.open}
        </button>
      )}
    </div>
  );
};

/** The buttons for the next and the previous page. */
const presentPager = (page: ResourcePage, turn: ReturnType<typeof useView>['filter']) => {
  const { rows, first: from, next_page_token: next, prev_page_token: previous, total_size: total } = page;
  if (next === '' && previous === '') return null;
  const [first, last, all] = [from, from + rows.length - 1, total].map((count) => count.toLocaleString('en'));
  const go = (token: string): void => {
    document.querySelector('.list')?.scrollTo(0, 0);
    turn({ page: token });
  };
  return (
    <nav class="pager" aria-label="Pages">
      <span class="quiet digits">
        {first}–{last} of {all}
      </span>
      <button type="button" disabled={previous === ''} onClick={() => go(previous)}>
        {ICONS.previous} Previous
      </button>
      <button type="button" disabled={next === ''} onClick={() => go(next)}>
        Next {ICONS.next}
      </button>
    </nav>
  );
};

/** The longest timer that browsers allow, in milliseconds. No page stays open that long. */
const LONGEST = 2 ** 31 - 1;

/** Reads the shown rows again when the next of them expires, because a row can expire without any call. */
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
