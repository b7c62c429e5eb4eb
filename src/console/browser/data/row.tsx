/** One row: its actions, its members, the rows that belong to it, and the calls about it. */
import { useState } from 'preact/hooks';
import { answer, here, isObject, type Kind, type MockSchemas, type Row, textOf } from '../live/api.ts';
import { Loading, useKind, useRows } from '../live/live.tsx';
import { useStore } from '../live/store.ts';
import { calls } from '../live/stream.ts';
import { act, attempt } from '../parts/acts.ts';
import { type Action, Buttons, CopyButton } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Facts, Panel, toWords } from '../parts/layout.tsx';
import { callOf, movesOf } from '../parts/moves.ts';
import { addressOf } from '../route.ts';
import { RowForm } from './form.tsx';
import { Status, Time, Value } from './value.tsx';

interface RowPanelProps {
  readonly kind: Kind;
  readonly id: string;
  readonly close: () => void;
}

const readRow = (kind: Kind, id: string) =>
  answer(here.GET('/rows/{kind}/{id}', { params: { path: { kind: kind.kind, id } } }));

export const RowPanel = ({ kind, id, close }: RowPanelProps) => {
  const [before, setBefore] = useState<MockSchemas['Form']>();
  const found = useRows(`${kind.kind} ${id}`, () => readRow(kind, id));
  const row = found.value?.row;
  // The form begins with what the row is now, and not with what the panel read before.
  const open = () => attempt(async () => setBefore((await readRow(kind, id)).edit));
  const leave = () => setBefore(undefined);
  const edit = { label: 'Edit', isOn: before !== undefined, choose: before ? leave : open };
  return (
    <Panel
      title={row?.title ?? id}
      close={close}
      actions={row && <Buttons className="small" actions={actionsOf(row, kind, edit, close)} />}
    >
      <Loading from={found}>
        {({ row: shown, parts }) =>
          before ? (
            <RowForm {...{ kind, before }} row={shown} onDone={leave} />
          ) : (
            <>
              <Facts of={factsOf(shown, kind)} />
              {kind.kind === 'emails' && <Invitation link={textOf(shown.form.link)} />}
              {parts.map((part) => (
                <Part key={part.kind} part={part} owner={shown} />
              ))}
              {!['emails', 'stubs'].includes(kind.kind) && <CallsAbout row={shown} />}
            </>
          )
        }
      </Loading>
    </Panel>
  );
};

const actionsOf = (row: Row, { kind, one, members }: Kind, edit: Action, close: () => void): Action[] => {
  const params = { path: { kind, id: row.id } };
  const remove = () =>
    act(
      `Delete ${callOf(row)}`,
      () => here.DELETE('/rows/{kind}/{id}', { params }).then(close),
      `${toWords(one)} ${row.title} deleted.`,
    );
  const written = [edit, { label: 'Delete', isDangerous: true, choose: remove }];
  return [...movesOf(row), ...(members.length > 0 ? written : [])];
};

/** The members that say something in a line, in words. */
const factsOf = (row: Row, kind: Kind) => [
  ['Status', kind.status && <Status row={row} />] as const,
  ...Object.entries(row.form)
    .filter(([name, value]) => name !== kind.status && name !== kind.name && isTelling(value))
    .map(
      ([name, value]) => [<span title={name}>{toWords(name)}</span>, <Value {...{ name, value }} />] as const,
    ),
  ['Its page', row.link && <Value name="link" value={row.link} />] as const,
];

const isTelling = (value: unknown): boolean => ![value].flat().some(isObject) && textOf(value) !== '';

interface PartProps {
  readonly part: MockSchemas['Part'];
  readonly owner: Row;
}

/** Rows of another kind that belong to the open one. */
const Part = ({ part: { kind: part, rows, total }, owner }: PartProps) => {
  const { label, one, fields = [] } = useKind(part) ?? {};
  const naming = fields.filter(({ pick }) => pick === owner.kind);
  const params = Object.fromEntries(naming.map(({ name }) => [name, owner.key]));
  const add = addressOf({ view: 'data', part, id: 'new', params });
  if (rows.length === 0 && naming.length === 0) return null;
  return (
    <section>
      <header class="bar">
        <h3>
          {label} <small>{total > 0 && total}</small>
        </h3>
        {naming.length > 0 && (
          <a href={add} aria-label={`New ${one} of ${owner.title}`}>
            New
          </a>
        )}
      </header>
      <ul class="parts">
        {rows.map((row) => (
          <li key={row.id}>
            <span>
              <a href={addressOf({ view: 'data', part, id: row.id })}>
                {row.title === owner.title ? row.about : row.title}
              </a>{' '}
              <small>{subtitleOf(row, owner)}</small>
            </span>
            <Status row={row} />
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <a href={addressOf({ view: 'data', part, params: { query: owner.title } })}>All {total}</a>
      )}
    </section>
  );
};

/** What else a line says: what the row is about, when it ends or was, and its page. */
const subtitleOf = ({ kind, title, about, link, form }: Row, owner: Row) => {
  const isOver = kind === 'memberships' && link === undefined;
  const { token_expires_at, expires_at, time, timestamp } = isOver ? {} : form;
  const end = textOf(token_expires_at ?? expires_at ?? time ?? timestamp).replace('never', '');
  const parts = [
    title !== owner.title && about,
    end !== '' && <Time value={end} />,
    link !== undefined && (
      <a href={link} target="_blank" rel="noopener">
        its page
      </a>
    ),
  ];
  return parts.filter(Boolean).map((part, place) => [place > 0 && ' · ', part]);
};

/** What an e-mail asks its recipient to do. */
const Invitation = ({ link }: { readonly link: string }) => (
  <section class="cluster">
    <a class="button primary" href={link} target="_blank" rel="noopener">
      Accept the invitation
    </a>
    <CopyButton label="Copy link" text={link} />
  </section>
);

const MOST_CALLS = 5;

/** The last calls that name the row by its id or its title. */
const CallsAbout = ({ row: { id, title } }: { readonly row: Row }) => {
  const found = useStore(calls).filter(
    ({ url, telling }) => url.includes(id.replace(/^.*\//, '')) || telling.includes(title),
  );
  if (found.length === 0) return null;
  return (
    <section>
      <h3>Calls about {title}</h3>
      <ul class="parts">
        {found.slice(0, MOST_CALLS).map(({ sequence, status, operation, url, real_time }) => (
          <li key={sequence}>
            <span>
              <Code status={status} />{' '}
              <a href={addressOf({ view: 'calls', part: String(sequence) })}>{operation ?? url}</a>
            </span>
            <small class="digits">{real_time.slice(11, 19)}</small>
          </li>
        ))}
      </ul>
      <a href={addressOf({ view: 'calls', params: { query: title } })}>All in Calls</a>
    </section>
  );
};
