/** Data: the kinds at the left, the rows of one kind, and the open row or its form. The server searches. */
import { useState } from 'preact/hooks';
import { answer, type FullRow, here, isObject, type Kind, type Row, textOf } from '../live/api.ts';
import { formatDistance, formatInstant, useNow } from '../live/clock.ts';
import { Loading, readRows, useEnvironment, useKind, useLive } from '../live/live.tsx';
import { useStore } from '../live/store.ts';
import { type CallSummary, calls } from '../live/stream.ts';
import { type Action, act, attempt, callOf, movesOf } from '../parts/acts.ts';
import { Button, Buttons, ICONS, Menu } from '../parts/buttons.tsx';
import { addressOfRow, Code } from '../parts/code.tsx';
import { Facts, Panel, Screen, SearchField, Side, Titled, toWords } from '../parts/layout.tsx';
import { addressOf, filter, go, useRoute } from '../route.ts';
import { RowForm } from './form.tsx';

type OfKind = Readonly<{ kind: Kind }>;

export const Data = () => {
  const { kinds } = useEnvironment();
  const { part } = useRoute();
  const kind = kinds.find((each) => (part === '' ? each.group : each.kind === part));
  if (kinds.length === 0) return <p class="loading">Loading…</p>;
  if (kind) return <Rows key={kind.kind} kind={kind} />;
  return <Screen title={`There is no kind “${part}”`} side={<Kinds />} children="Choose a kind." />;
};

const Kinds = ({ chosen }: { readonly chosen?: string }) => {
  const shown = useEnvironment().kinds.filter(({ group }) => group);
  const links = shown.map(({ kind, group = '', label, count }) => ({
    group,
    href: addressOf({ view: 'data', part: kind }),
    isChosen: kind === chosen,
    // The number is only for the eyes: a screen reader would read it as a part of the name.
    children: [label, ' ', <small class="digits" aria-hidden="true" children={formatCount(count)} />],
  }));
  return <Side label="Kinds of rows" links={links} />;
};

const formatCount = (count: number): string => count.toLocaleString('en');

const Rows = ({ kind }: OfKind) => {
  const { query = '' } = useRoute().params;
  const found = useLive(`${kind.kind} ${query}`, () => readRows(kind.kind, query), 'change');
  const none = query === '' ? `No ${kind.label.toLowerCase()} yet.` : `Nothing here matches “${query}”.`;
  const clear = () => act('Clear the e-mails', () => here.DELETE('/outbox'));
  const create = () => go({ id: NEW });
  const actions = [
    <SearchField label="Search all data" text={query} find={(text) => filter({ query: text })} />,
    kind.kind === 'emails' && <Button label="Clear" choose={clear} />,
    kind.fields.length > 0 && <Button className="primary" label={`New ${kind.one}`} choose={create} />,
  ];
  const side = <Kinds chosen={kind.kind} />;
  const panel = <OpenRow kind={kind} />;
  const count = found.value && formatCount(found.value.total);
  return (
    <Screen title={kind.label} {...{ actions, side, panel, count }}>
      <Loading from={found}>
        {({ rows, total }) => [
          rows.length > 0 ? <Table kind={kind} rows={rows} /> : <p class="empty">{none}</p>,
          rows.length < total && (
            <p class="more quiet digits">
              The first {rows.length} of {formatCount(total)}. The search finds them all.
            </p>
          ),
        ]}
      </Loading>
      {query !== '' && <Elsewhere kind={kind} query={query} />}
    </Screen>
  );
};

/** What a search finds in other kinds. */
const Elsewhere = ({ kind: { kind: shown }, query }: OfKind & Readonly<{ query: string }>) => {
  const found = useLive(query, () => readRows('any', query)).value?.rows ?? [];
  const kinds = [...new Set(found.map(({ kind }) => kind))].filter((kind) => kind !== shown);
  const parts = kinds.map((kind) => {
    const rows = found.filter((row) => row.kind === kind);
    return <Part key={kind} {...{ kind, rows, total: rows.length, query }} />;
  });
  return parts.length > 0 && <Titled id="elsewhere" title="Elsewhere" children={parts} />;
};

const Table = ({ kind, rows }: OfKind & { readonly rows: readonly FullRow[] }) => {
  const { kinds } = useEnvironment();
  const labelOf = (name: string): string =>
    kinds.find((each) => each.kind === name)?.label ?? toWords(name.replace(/_id$/, ''));
  const labels = [toWords(kind.one), ...kind.columns.map(labelOf)];
  return (
    <table class="rows">
      <caption class="unseen">{kind.label}</caption>
      <thead>
        <tr children={labels.map((label) => <th scope="col">{label}</th>)} />
      </thead>
      <tbody children={rows.map((row) => <TableRow key={row.id} {...{ kind, row }} />)} />
    </table>
  );
};

const TableRow = ({ kind, row }: OfKind & { readonly row: FullRow }) => (
  <tr class={row.id === useRoute().id ? 'chosen' : undefined}>
    <th scope="row">
      <button type="button" class="name" title={row.title} onClick={() => go({ id: row.id })}>
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
);

/** The status, the rows of another kind that belong to the row, or a member. */
const Cell = ({ name, row, kind }: OfKind & Readonly<{ name: string; row: FullRow }>) => {
  const part = row.parts.find((each) => each.kind === name);
  if (name === kind.status) return <Status row={row} />;
  if (!part) return <Value name={name} value={row.form[name]} />;
  if (part.total > part.rows.length) return <Counts {...part} query={row.title} />;
  if (part.total > 0) return <Lines rows={part.rows} owner={row} />;
  return <span class="quiet">none</span>;
};

/** How many rows of another kind have each status. @param query finds them */
const Counts = ({ kind: part, counts, query }: FullRow['parts'][number] & Readonly<{ query: string }>) => {
  const { tones = {} } = useKind(part) ?? {};
  return (
    <a class="cluster counts" href={addressOf({ view: 'data', part, params: { query } })}>
      {Object.entries(counts).map(([status, count]) => (
        <span key={status} class={`status ${tones[status] ?? 'quiet'}`}>
          {count} {status}
        </span>
      ))}
    </a>
  );
};

/** The id in the page's address while the user fills in the form of a new row. */
const NEW = 'new';

const close = (): void => go({ id: '' });

/** The panel of the row that the page's address names, or the form of a new one. */
const OpenRow = ({ kind }: { readonly kind: Kind }) => {
  const { id, params } = useRoute();
  if (id === '') return null;
  if (id !== NEW) return <RowPanel key={`${kind.kind} ${id}`} {...{ kind, id }} />;
  return (
    <Panel title={`New ${kind.one}`} close={close}>
      <RowForm kind={kind} before={{ fields: params }} onDone={(made) => go({ id: made })} />
    </Panel>
  );
};

const RowPanel = ({ kind, id }: Readonly<{ kind: Kind; id: string }>) => {
  const [before, setBefore] = useState<Parameters<typeof RowForm>[0]['before']>();
  const read = () => answer(here.GET('/rows/{kind}/{id}', { params: { path: { kind: kind.kind, id } } }));
  const found = useLive(`${kind.kind} ${id}`, read, 'change');
  const row = found.value?.row;
  // The form begins with what the row is now, and not with what the panel read before.
  const open = () => attempt(async () => setBefore((await read()).edit));
  const leave = () => setBefore(undefined);
  // With another key, a row has another id.
  const onDone = (saved: string) => (saved === id ? leave() : go({ id: saved }));
  const edit = { label: 'Edit', isOn: before !== undefined, choose: before ? leave : open };
  const actions = row && <Buttons className="small" actions={actionsOf(row, kind, edit)} />;
  return (
    <Panel title={row?.title ?? id} {...{ close, actions }}>
      <Loading from={found}>
        {({ row: shown }) =>
          before ? (
            <RowForm {...{ kind, before, row: shown, onDone }} />
          ) : (
            [
              <Facts of={factsOf(shown, kind)} />,
              ...shown.parts.map((part) => <Part key={part.kind} {...part} owner={shown} />),
              !['emails', 'stubs'].includes(kind.kind) && <CallsAbout {...shown} />,
            ]
          )
        }
      </Loading>
    </Panel>
  );
};

const actionsOf = (row: Row, { kind, members }: Kind, edit: Action): readonly Action[] => {
  const params = { path: { kind, id: row.id } };
  const remove = () => here.DELETE('/rows/{kind}/{id}', { params }).then(close);
  const choose = () => act(`Delete ${callOf(row)}`, remove);
  const written = members.length > 0 ? [edit, { label: 'Delete', isDangerous: true, choose }] : [];
  return [...movesOf(row), ...written];
};

/** The status, and the members that say something in a line, in words. */
const factsOf = (row: Row, { status = '', name: title }: Kind) =>
  Object.entries({ [status]: row.status, ...row.form, its_page: row.link })
    .filter(([name, value]) => name !== title && ![value].flat().some(isObject) && textOf(value) !== '')
    .map(([name, value]) => {
      const shown = name === status ? <Status row={row} /> : <Value {...{ name, value }} />;
      return [<span title={name}>{toWords(name)}</span>, shown] as const;
    });

type PartProps = Omit<FullRow['parts'][number], 'counts'> & Readonly<{ owner?: Row; query?: string }>;

/** Rows of another kind that belong to the open one, or that a search has found. */
const Part = ({ kind: part, rows, total, owner, query = owner?.title ?? '' }: PartProps) => {
  const { label, one, fields = [] } = useKind(part) ?? {};
  const naming = owner ? fields.filter(({ pick }) => pick === owner.kind) : [];
  const params = Object.fromEntries(naming.map(({ name }) => [name, owner?.key ?? '']));
  const add = addressOf({ view: 'data', part, id: NEW, params });
  if (rows.length === 0 && naming.length === 0) return null;
  return (
    <section>
      <header class="bar">
        <h3>
          {label} <small>{total > 0 && total}</small>
        </h3>
        {naming.length > 0 && <a href={add} aria-label={`New ${one} of ${query}`} children="New" />}
      </header>
      <Lines {...{ rows, owner }} />
      {total > rows.length && <a href={addressOf({ view: 'data', part, params: { query } })}>All {total}</a>}
    </section>
  );
};

type LinesProps = Readonly<{ rows: readonly Row[]; owner: Row | undefined }>;

/** Rows, a line each. @param owner what they belong to, which they need not name again */
const Lines = ({ rows, owner }: LinesProps) => (
  <ul class="parts">
    {rows.map((row) => (
      <li key={row.id}>
        <span>
          <a href={addressOf({ view: 'data', part: row.kind, id: row.id })}>
            {(row.title === owner?.title && row.about) || row.title}
          </a>{' '}
          <small>{subtitleOf(row, owner)}</small>
        </span>
        <Status row={row} />
      </li>
    ))}
  </ul>
);

/** What else a line says: what the row is about, when it ends or was, and its page. */
const subtitleOf = ({ kind, title, about, link, form }: Row, owner: Row | undefined) => {
  const isOver = kind === 'memberships' && link === undefined;
  const { token_expires_at, expires_at, time, timestamp } = isOver ? {} : form;
  const end = textOf(token_expires_at ?? expires_at ?? time ?? timestamp).replace('never', '');
  const page = link && <a href={link} target="_blank" rel="noopener" children="its page" />;
  const parts = [title !== owner?.title && about, end !== '' && <Time value={end} />, page];
  return parts.filter(Boolean).map((part, place) => [place > 0 && ' · ', part]);
};

/** The last calls that name the row by its id or its title. */
const CallsAbout = ({ id, title }: Row) => {
  const isAbout = ({ url, telling }: CallSummary): boolean =>
    url.includes(id.replace(/^.*\//, '')) || telling.includes(title);
  const found = useStore(calls).filter(isAbout).slice(0, 5);
  const facts = found.map(({ sequence, status, operation, url, real_time }) => {
    const link = <a href={addressOf({ view: 'calls', part: String(sequence) })}>{operation ?? url}</a>;
    return [[<Code status={status} />, ' ', real_time.slice(11, 19)], link] as const;
  });
  if (found.length === 0) return null;
  return (
    <section>
      <h3>Calls about {title}</h3>
      <Facts of={facts} />
      <a href={addressOf({ view: 'calls', params: { query: title } })}>All in Calls</a>
    </section>
  );
};

/** Shows a time relative to the environment's current time. The tooltip gives the exact time. */
const Time = ({ value }: { readonly value: string }) => {
  const epoch = Date.parse(value);
  const children = formatDistance(epoch - useNow(useEnvironment().clock));
  return <time dateTime={value} title={`${formatInstant(epoch)} UTC`} {...{ children }} />;
};

/** A status as a coloured word. If the row has actions, the word opens a menu of them. */
const Status = ({ row }: { readonly row: Row }) => {
  const { status, tone } = row;
  if (status === undefined) return null;
  const className = `status ${tone}`;
  const items = movesOf(row);
  if (items.length === 0) return <span class={className}>{status}</span>;
  const label = `${status}: change ${callOf(row)}`;
  return <Menu {...{ className, label, items }} face={[status, ' ', ICONS.caret]} />;
};

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The value of a member as a time, a link or plain text. */
const Value = ({ name, value }: Readonly<{ name: string; value: unknown }>) => {
  const text = [value].flat().some(isObject) ? JSON.stringify(value) : textOf(value);
  const row = addressOfRow(text);
  if (text === '' || text === 'never') return <span class="quiet">{text || '–'}</span>;
  if (INSTANT.test(text)) return <Time value={text} />;
  if (row && name !== 'id') return <a href={row}>{text}</a>;
  const cut = { class: 'cut', title: text, children: text };
  if (/^https?:/.test(text)) return <a {...cut} href={text} target="_blank" rel="noopener" />;
  return /(?:^|_)id$/.test(name) ? <code {...cut} /> : <span {...cut} />;
};
