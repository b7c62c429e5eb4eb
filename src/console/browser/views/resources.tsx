/** Rows of one kind as a table. The server searches rows and sends one page, so 100,000 rows are as fast as a few. */
import { type KindName, type ResourcePage, type Row, textOf } from '../live/api.ts';
import { Loading } from '../live/loaded.tsx';
import { useRows } from '../live/rows.ts';
import { Buttons, ICONS } from '../parts/buttons.tsx';
import { Panel, Screen, SearchField, toWords } from '../parts/layout.tsx';
import { useView } from '../route.ts';
import { aboutOf, idOf, KINDS, type KindView, nameOf, oneOf } from './kinds.ts';
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
  const { id, params, open, close, filter } = useView();
  const { query = '', page: page_token = '' } = params;
  const search = new URLSearchParams({ query, page_token, page_size: String(PAGE_SIZE) });
  const page = useRows(`${name}?${search}`);
  const count = page.value?.total_size.toLocaleString('en');
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
      id !== '' && <RowPanel key={id} name={name} id={id} close={close} />
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
                columns={columnsOf(kind)}
                rows={value.rows}
                idOf={(row) => idOf(kind, row)}
                nameOf={(row) => nameOf(kind, row)}
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

const columnsOf = (kind: KindView) => {
  const [moved] = kind.moves ? kind.columns : [];
  const columns = kind.columns.map((member) => {
    const presentValue = (row: Row) => <Value name={member} value={row[member]} />;
    return [toWords(member), member === moved ? presentStatus(kind, member) : presentValue];
  });
  const presentName = (row: Row) => [
    <span key="name">{nameOf(kind, row)}</span>,
    <small key="about">{aboutOf(kind, row)}</small>,
  ];
  return { Name: presentName, ...Object.fromEntries(columns) };
};

const presentStatus = (kind: KindView, member: string) => (row: Row) => (
  <Status status={textOf(row[member])} of={nameOf(kind, row)} moves={kind.moves?.(row) ?? []} />
);

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
