/** One row: its actions, its members, and its timeline. */
import { useState } from 'preact/hooks';
import { call, type KindName, type ResourcePage, type Row, within } from '../live/api.ts';
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
import { toWords } from '../parts/words.ts';
import { concernOf, idOf, KINDS, nameOf } from './kinds.ts';
import { keyOf, RowForm, toState } from './row-form.tsx';
import { Timeline } from './timeline.tsx';
import { isObject, Value } from './value.tsx';

const HAVE_TIMELINE = new Set<KindName>(['connected_accounts', 'memberships', 'users']);

interface RowPanelProps {
  readonly name: KindName;
  readonly id: string;
  readonly rows: readonly Row[] | undefined;
  readonly close: () => void;
}

/** @param rows the rows of the page, which usually include this row */
export const RowPanel = ({ name, id, rows, close }: RowPanelProps) => {
  const kind = KINDS[name];
  const { name: environment } = useEnvironment();
  const [isEdited, setEdited] = useState(false);
  const isWanted = (row: Row): boolean => idOf(kind, row) === id;
  const onPage = rows?.find(isWanted);
  const words = id.replaceAll('/', ' ');
  const path = within(environment, `/resources/${name}?${new URLSearchParams({ query: words })}`);
  const find = async () => (onPage ? { rows: [onPage] } : call<ResourcePage>('GET', path));
  // The key changes when the row leaves the page, for example because it was deleted. The row is then read again.
  const found = useLive(`${name} ${id} ${onPage !== undefined}`, find, concernOf(kind));
  const row = onPage ?? found.value?.rows.find(isWanted);
  const actions = row ? actionsOn(environment, name, row, { isEdited, setEdited, close }) : [];
  const isMain = (action: Action): boolean => action.isPrimary === true;
  return (
    <Panel
      title={row ? nameOf(kind, row) : id}
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
                label={`More: ${nameOf(kind, row)}`}
                items={actions.filter((action) => !isMain(action))}
                face={<>More {ICONS.caret}</>}
              />
            )}
          </>
        )
      }
    >
      <Loading from={found}>
        {() => row === undefined && <p class="empty">This row no longer exists.</p>}
      </Loading>
      {row && isEdited && <RowForm kind={name} row={row} onDone={() => setEdited(false)} />}
      {row && !isEdited && <Facts of={factsOf(row)} />}
      {row && !isEdited && HAVE_TIMELINE.has(name) && <Timeline row={row} id={id} />}
      {row && (
        <details>
          <summary>JSON</summary>
          <CopyButton label="Copy JSON" text={JSON.stringify(row, undefined, 2)} />
          <Json value={row} label={`${nameOf(kind, row)} as JSON`} />
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

/** The actions of a row. The primary actions are two moves, or editing if the row has no moves. */
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
    `The ${kind.one} ${nameOf(kind, row)} was deleted.`,
    { [name]: [idOf(kind, row)] },
  );
};

/** The top-level members of a row, in words. Only the JSON shows deeper members. */
const factsOf = (row: Row) =>
  Object.entries(row)
    .filter(([, value]) => isTelling(value))
    .map(
      ([name, value]) =>
        [<span title={name}>{toWords(name)}</span>, <Value name={name} value={value} />] as const,
    );

const isTelling = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && value.every(hasWords) : value !== '' && !isObject(value);

const hasWords = (each: unknown): boolean => !isObject(each) || 'name' in each || 'type' in each;
