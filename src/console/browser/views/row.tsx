/** One row: what can be done to it, what it holds, and what happened to it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call, type KindName, type ResourcePage, type Row, textOf, within } from '../live/api.ts';
import { useEnvironment, useLive } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { actWithUndo } from '../live/undo.ts';
import { type Action, Buttons } from '../parts/actions.tsx';
import { Facts } from '../parts/cards.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Json } from '../parts/json.tsx';
import { Menu } from '../parts/popover.tsx';
import { Panel } from '../parts/screen.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { toWords } from '../parts/words.ts';
import { addressOf } from '../route.ts';
import { concernOf, KINDS, type KindView } from './kinds.tsx';
import { keyOf, RowForm, toState } from './row-form.tsx';
import { Timeline } from './timeline.tsx';

const HAVE_TIMELINE = new Set<KindName>(['connected_accounts', 'memberships', 'users']);

/** @param rows the rows of the page, usually with this one among them */
export const RowPanel = ({
  name,
  id,
  rows,
  close,
}: {
  readonly name: KindName;
  readonly id: string;
  readonly rows: readonly Row[] | undefined;
  readonly close: () => void;
}) => {
  const kind: KindView = KINDS[name];
  const { name: environment } = useEnvironment();
  const [isEdited, setEdited] = useState(false);
  const isWanted = (row: Row): boolean => kind.id(row) === id;
  const onPage = rows?.find(isWanted);
  const words = id.replaceAll('/', ' ');
  const path = within(environment, `/resources/${name}?${new URLSearchParams({ query: words })}`);
  const find = async () => (onPage ? { rows: [onPage] } : call<ResourcePage>('GET', path));
  // The key has it read once more when the row leaves the page, as a deleted one does.
  const found = useLive(`${name} ${id} ${onPage !== undefined}`, find, concernOf(kind));
  const row = onPage ?? found.value?.rows.find(isWanted);
  const actions = row ? actionsOn(environment, name, row, { isEdited, setEdited, close }) : [];
  const isMain = (action: Action): boolean => action.isPrimary === true;
  return (
    <Panel
      title={row ? kind.name(row) : id}
      close={close}
      actions={
        row && (
          <>
            <Buttons
              className="small"
              actions={actions.filter(isMain).map((action) => ({ ...action, isPrimary: false }))}
            />
            {actions.some((action) => !isMain(action)) && (
              <Menu
                className="small"
                label={`More: ${kind.name(row)}`}
                items={actions.filter((action) => !isMain(action))}
                face={<>More {ICONS.caret}</>}
              />
            )}
          </>
        )
      }
    >
      <Loading from={found}>
        {() => row === undefined && <p class="empty">There is no such row now.</p>}
      </Loading>
      {row && isEdited && <RowForm kind={name} row={row} onDone={() => setEdited(false)} />}
      {row && !isEdited && <Facts of={factsOf(environment, row)} />}
      {row && !isEdited && HAVE_TIMELINE.has(name) && <Timeline row={row} id={id} />}
      {row && (
        <details>
          <summary>JSON</summary>
          <CopyButton label="Copy JSON" text={JSON.stringify(row, undefined, 2)} />
          <Json value={row} label={`${kind.name(row)} as JSON`} />
        </details>
      )}
    </Panel>
  );
};

interface PanelState {
  readonly isEdited: boolean;
  readonly setEdited: (isEdited: boolean) => void;
  readonly close: () => void;
}

/** The main ones are primary: two moves if the row has any, else editing it. */
const actionsOn = (
  environment: string,
  name: KindName,
  row: Row,
  { isEdited, setEdited, close }: PanelState,
): readonly Action[] => {
  const { moves, form, made } = KINDS[name];
  const all = moves?.(environment, row) ?? [];
  if (!form || made) return all;
  const isAlone = !all.some(({ isPrimary }) => isPrimary);
  return [
    ...all,
    { label: 'Edit', isPrimary: isAlone || isEdited, isOn: isEdited, choose: () => setEdited(!isEdited) },
    {
      label: 'Delete',
      isDangerous: true,
      choose: () => removeRow(environment, name, row).then(close),
    },
  ];
};

const removeRow = (environment: string, name: KindName, row: Row): Promise<unknown> => {
  const kind = KINDS[name];
  const change = toState(name, { ...keyOf(name, row), remove: true });
  return actWithUndo(
    environment,
    () => call('PATCH', within(environment, '/state'), change),
    `The ${kind.one} ${kind.name(row)} was deleted.`,
    { [name]: [kind.id(row)] },
  );
};

/** Members that say the same as another one, or that the panel's title shows. */
const REPEATED = new Set(['object']);

/** The top-level members of a row, in words; only its JSON shows deeper ones. */
const factsOf = (environment: string, row: Row): (readonly [ComponentChildren, ComponentChildren])[] =>
  Object.entries(row)
    .filter(([name, value]) => !REPEATED.has(name) && value !== '' && isPlain(value))
    .map(([name, value]) => [
      <span title={name}>{toWords(name)}</span>,
      presentValue(environment, name, value),
    ]);

const isPlain = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((each) => typeof each !== 'object')
    : typeof value !== 'object' || value === null;

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Kinds of rows by the beginning of their ids. */
const BY_PREFIX: Readonly<Record<string, KindName>> = {
  ca: 'connected_accounts',
  org: 'organizations',
  usr: 'users',
  conn: 'connections',
  role: 'roles',
};

const presentValue = (environment: string, name: string, value: unknown): ComponentChildren => {
  const text = [value].flat().map(textOf).join(', ');
  const view = BY_PREFIX[/^([a-z]+)_\d+$/.exec(text)?.[1] ?? ''];
  if (INSTANT.test(text)) return <Time value={text} />;
  if (view && name !== 'id') return <a href={addressOf({ environment, view, id: text })}>{text}</a>;
  if (/status$/.test(name)) return <Status status={text} of="" />;
  if (/^https?:/.test(text))
    return (
      <a href={text} target="_blank" rel="noopener">
        {text}
      </a>
    );
  return typeof value === 'boolean' ? value ? 'yes' : 'no' : <span>{text}</span>;
};
