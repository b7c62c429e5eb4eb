/** One row: its actions, its members, and its timeline. */
import { useState } from 'preact/hooks';
import { call, type KindName, type ResourcePage, type Row, textOf, within } from '../live/api.ts';
import { useEnvironment, useLive } from '../live/environment.tsx';
import { Loading } from '../live/loaded.tsx';
import { type Action, Buttons, CopyButton } from '../parts/buttons.tsx';
import { ICONS } from '../parts/icons.tsx';
import { Json } from '../parts/json.tsx';
import { Facts, Panel, toWords } from '../parts/layout.tsx';
import { actWithUndo } from '../parts/notices.tsx';
import { Menu } from '../parts/popover.tsx';
import { idOf, KINDS } from './kinds.ts';
import { RowForm, writeRow } from './row-form.tsx';
import { Timeline } from './timeline.tsx';
import { isObject, Value } from './value.tsx';

const HAVE_TIMELINE: readonly KindName[] = ['connected_accounts', 'memberships', 'users'];

interface RowPanelProps {
  readonly name: KindName;
  readonly id: string;
  /** The rows of the page, which usually include this row. */
  readonly rows: readonly Row[] | undefined;
  readonly close: () => void;
}

export const RowPanel = ({ name, id, rows, close }: RowPanelProps) => {
  const kind = KINDS[name];
  const { name: environment } = useEnvironment();
  const [isEdited, setEdited] = useState(false);
  const isWanted = (row: Row): boolean => idOf(kind, row) === id;
  const onPage = rows?.find(isWanted);
  const query = new URLSearchParams({ query: id.replaceAll('/', ' ') });
  const find = async (): Promise<Pick<ResourcePage, 'rows'>> =>
    onPage ? { rows: [onPage] } : call('GET', within(environment, `/resources/${name}?${query}`));
  // The key changes when the row leaves the page, for example because it was deleted. The row is then read again.
  const found = useLive(`${name} ${id} ${onPage !== undefined}`, find, 'change');
  const row = onPage ?? found.value?.rows.find(isWanted);
  if (!row)
    return (
      <Panel title={id} close={close}>
        <Loading from={found}>{() => <p class="empty">This row no longer exists.</p>}</Loading>
      </Panel>
    );
  const title = textOf(row[kind.name]);
  return (
    <Panel
      title={title}
      close={close}
      actions={<RowActions {...{ name, row, title, isEdited, setEdited, close }} />}
    >
      {isEdited ? (
        <RowForm kind={name} row={row} onDone={() => setEdited(false)} />
      ) : (
        <>
          <Facts of={factsOf(row)} />
          {HAVE_TIMELINE.includes(name) && <Timeline row={row} id={id} />}
        </>
      )}
      <details>
        <summary>JSON</summary>
        <CopyButton label="Copy JSON" text={JSON.stringify(row, undefined, 2)} />
        <Json value={row} label={`${title} as JSON`} />
      </details>
    </Panel>
  );
};

interface RowActionsProps {
  readonly name: KindName;
  readonly row: Row;
  readonly title: string;
  readonly isEdited: boolean;
  readonly setEdited: (isEdited: boolean) => void;
  readonly close: () => void;
}

/** Two moves as buttons, or Edit if the row has no moves; the other actions are in a menu. */
const RowActions = ({ name, row, title, isEdited, setEdited, close }: RowActionsProps) => {
  const { name: environment } = useEnvironment();
  const { one, moves, form, made } = KINDS[name];
  const remove = () =>
    actWithUndo(
      environment,
      () => writeRow(environment, name, row, { remove: true }),
      `The ${one} ${title} was deleted.`,
      { [name]: [idOf(KINDS[name], row)] },
    ).then(close);
  const actions: Action[] = [...(moves?.(environment, row) ?? [])];
  if (form && !made) {
    const isAlone = !actions.some(({ isPrimary }) => isPrimary);
    const edit = { label: 'Edit', isOn: isEdited, choose: () => setEdited(!isEdited) };
    actions.push({ ...edit, isPrimary: isAlone || isEdited });
    actions.push({ label: 'Delete', isDangerous: true, choose: remove });
  }
  const main = actions.filter(({ isPrimary }) => isPrimary);
  const others = actions.filter(({ isPrimary }) => !isPrimary);
  return (
    <>
      <Buttons className="small" actions={main.map((action) => ({ ...action, isPrimary: false }))} />
      {others.length > 0 && (
        <Menu className="small" label={`More: ${title}`} items={others} face={['More ', ICONS.caret]} />
      )}
    </>
  );
};

/** The top-level members of a row, in words. Only the JSON shows deeper members. */
const factsOf = (row: Row) =>
  Object.entries(row)
    .filter(([, value]) => isTelling(value))
    .map(([name, value]) => {
      const title = <span title={name}>{toWords(name)}</span>;
      return [title, <Value name={name} value={value} />] as const;
    });

const isTelling = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((each) => !isObject(each) || 'name' in each || 'type' in each)
    : value !== '' && !isObject(value);
