/** One row: its actions, its members, the rows that belong to it, and the calls about it. */
import { useState } from 'preact/hooks';
import { answer, here, isObject, type Kind, type Row, textOf } from '../live/api.ts';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { useStore } from '../live/store.ts';
import { calls } from '../live/stream.ts';
import { act } from '../parts/acts.ts';
import { type Action, Buttons, CopyButton, ICONS, Menu } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Facts, Panel, toWords } from '../parts/layout.tsx';
import { callOf, movesOf } from '../parts/moves.ts';
import { addressOf } from '../route.ts';
import { RowForm } from './form.tsx';
import { useRows } from './use-rows.ts';
import { Status, Time, Value } from './value.tsx';

interface RowPanelProps {
  readonly kind: Kind;
  readonly kinds: readonly Kind[];
  readonly id: string;
  readonly close: () => void;
}

const pathOf = (kind: Kind, id: string) => ({ params: { path: { kind: kind.kind, id } } });

const readRow = (kind: Kind, id: string) => answer(here.GET('/rows/{kind}/{id}', pathOf(kind, id)));

export const RowPanel = ({ kind, kinds, id, close }: RowPanelProps) => {
  const [isEdited, setEdited] = useState(false);
  const found = useRows(`${kind.kind} ${id}`, () => readRow(kind, id));
  const row = found.value?.row;
  return (
    <Panel
      title={row?.title ?? id}
      close={close}
      actions={row && <RowActions {...{ row, kind, isEdited, setEdited, close }} />}
    >
      <Loading from={found}>
        {({ row: shown, parts }) =>
          isEdited ? (
            <Edit kind={kind} row={shown} onDone={() => setEdited(false)} />
          ) : (
            <>
              {kind.kind === 'emails' ? <Letter form={shown.form} /> : <Facts of={factsOf(shown, kind)} />}
              {parts.map((part) => (
                <Part key={part.kind} {...{ ...part, owner: shown, kinds }} />
              ))}
              {kind.kind !== 'stubs' && <CallsAbout row={shown} />}
            </>
          )
        }
      </Loading>
    </Panel>
  );
};

interface EditProps {
  readonly kind: Kind;
  readonly row: Row;
  readonly onDone: () => void;
}

/** The form begins with what the row is now, and not with what the panel read before. */
const Edit = ({ kind, row, onDone }: EditProps) => {
  const now = useLoaded(row.id, () => readRow(kind, row.id));
  return <Loading from={now}>{({ edit }) => <RowForm {...{ kind, row, onDone }} before={edit} />}</Loading>;
};

interface RowActionsProps extends Omit<EditProps, 'onDone'> {
  readonly isEdited: boolean;
  readonly setEdited: (isEdited: boolean) => void;
  readonly close: () => void;
}

/** How many actions are buttons. The others are in a menu. */
const SHOWN = 3;

const RowActions = ({ row, kind, isEdited, setEdited, close }: RowActionsProps) => {
  const remove = () =>
    act(
      `Delete ${callOf(row)}`,
      () => here.DELETE('/rows/{kind}/{id}', pathOf(kind, row.id)).then(close),
      `${toWords(kind.one)} ${row.title} deleted.`,
    );
  const isWritten = kind.members.length > 0;
  const edit = { label: 'Edit', isOn: isEdited, choose: () => setEdited(!isEdited) };
  const moves = movesOf(row);
  const shown: Action[] = [...moves.slice(0, SHOWN), ...(isWritten ? [edit] : [])];
  const others: Action[] = [
    ...moves.slice(SHOWN),
    ...(isWritten ? [{ label: 'Delete', isDangerous: true, choose: remove }] : []),
  ];
  return (
    <>
      <Buttons className="small" actions={shown} />
      {others.length > 0 && (
        <Menu className="small" label={`More: ${row.title}`} items={others} face={['More ', ICONS.caret]} />
      )}
    </>
  );
};

/** The members that say something in a line, in words. */
const factsOf = (row: Row, kind: Kind) => [
  ...(kind.status ? [['Status', <Status row={row} />] as const] : []),
  ...Object.entries(row.form)
    .filter(([name, value]) => name !== kind.status && name !== kind.name && isTelling(value))
    .map(
      ([name, value]) =>
        [<span title={name}>{toWords(name)}</span>, <Value name={name} value={value} />] as const,
    ),
  ...(row.link ? [['Its page', <Value name="link" value={row.link} />] as const] : []),
];

const isTelling = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && !value.some(isObject) : value !== '' && !isObject(value);

interface PartProps {
  readonly kind: Row['kind'];
  readonly rows: readonly Row[];
  readonly total: number;
  readonly owner: Row;
  readonly kinds: readonly Kind[];
}

/** Rows of another kind that belong to the open one. */
const Part = ({ kind: name, rows, total, owner, kinds }: PartProps) => {
  const kind = kinds.find((each) => each.kind === name);
  if (!kind) return null;
  const naming = kind.fields.filter(({ pick }) => pick === owner.kind);
  const params = Object.fromEntries(naming.map((field) => [field.name, owner.key]));
  const canAdd = naming.length > 0;
  if (rows.length === 0 && !canAdd) return null;
  return (
    <section>
      <header class="bar">
        <h3>
          {kind.label} <small>{total > 0 && total}</small>
        </h3>
        {canAdd && (
          <a
            href={addressOf({ view: 'data', part: name, id: 'new', params })}
            aria-label={`New ${kind.one} of ${owner.title}`}
          >
            New
          </a>
        )}
      </header>
      <ul class="parts">
        {rows.map((row) => (
          <li key={row.id}>
            <span>
              <a href={addressOf({ view: 'data', part: row.kind, id: row.id })}>
                {row.title === owner.title ? row.about : row.title}
              </a>{' '}
              <small>{subtitleOf(row, owner)}</small>
            </span>
            <Status row={row} />
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <a href={addressOf({ view: 'data', part: name, params: { query: owner.title } })}>All {total}</a>
      )}
    </section>
  );
};

const subtitleOf = (row: Row, owner: Row) => {
  const isOver = row.kind === 'memberships' && row.link === undefined;
  const { token_expires_at, expires_at, time, timestamp } = isOver ? {} : row.form;
  const end = textOf(token_expires_at ?? expires_at ?? time ?? timestamp).replace('never', '');
  const about = row.title === owner.title ? '' : row.about;
  return (
    <>
      {about}
      {about !== '' && end !== '' && ' · '}
      {end !== '' && <Time value={end} />}
      {row.link && [
        ' · ',
        <a href={row.link} target="_blank" rel="noopener">
          its page
        </a>,
      ]}
    </>
  );
};

/** An e-mail as its recipient would see it. */
const Letter = ({
  form,
  link = textOf(form.link),
}: {
  readonly form: Row['form'];
  readonly link?: string;
}) => (
  <article class="email card">
    <Facts
      of={[
        ['From', 'Connected Accounts'],
        ['To', textOf(form.to)],
        ['Date', <Time value={textOf(form.time)} />],
      ]}
    />
    <p>Hello,</p>
    <p>{textOf(form.subject)}.</p>
    <p>
      <a class="button primary" href={link} target="_blank" rel="noopener">
        Accept the invitation
      </a>
    </p>
    <p>
      <small>
        Or open this address: <span class="long">{link}</span>
      </small>
    </p>
    <CopyButton label="Copy link" text={link} />
  </article>
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
