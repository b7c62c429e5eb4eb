/** One row: its actions, its members, and the form to change it. */
import { useState } from 'preact/hooks';
import { isObject, type KindName, type Row } from '../live/api.ts';
import { Loading } from '../live/loaded.tsx';
import { useRows } from '../live/rows.ts';
import { type Action, Buttons, CopyButton, ICONS, Menu } from '../parts/buttons.tsx';
import { Json } from '../parts/code.tsx';
import { Facts, Panel, toWords } from '../parts/layout.tsx';
import { actWithUndo } from '../parts/notices.ts';
import { addressOf } from '../route.ts';
import { idOf, KINDS, nameOf, oneOf } from './kinds.ts';
import { RowForm, removeRow } from './row-form.tsx';
import { Value } from './value.tsx';

interface RowPanelProps {
  readonly name: KindName;
  readonly id: string;
  readonly close: () => void;
}

export const RowPanel = ({ name, id, close }: RowPanelProps) => {
  const kind = KINDS[name];
  const [isEdited, setEdited] = useState(false);
  const query = new URLSearchParams({ query: id.replaceAll('/', ' '), page_size: '200' });
  const found = useRows(`${name}?${query}`);
  const { rows = [] } = found.value ?? {};
  const row = rows.find((each) => idOf(kind, each) === id);
  if (!row)
    return (
      <Panel title={id} close={close}>
        <Loading from={found}>{() => <p class="empty">This row no longer exists.</p>}</Loading>
      </Panel>
    );
  const title = nameOf(kind, row);
  const actions = <RowActions {...{ name, row, isEdited, setEdited, close }} />;
  return (
    <Panel {...{ title, close, actions }}>
      {isEdited ? (
        <RowForm kind={name} row={row} onDone={() => setEdited(false)} />
      ) : (
        <>
          <Facts of={factsOf(row)} />
          <p class="cluster">
            {[...new Set([pathOf(id), title])].map((query) => (
              <a key={query} href={addressOf({ view: 'journal', params: { query } })}>
                Calls with {query}
              </a>
            ))}
          </p>
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

/** What calls of the API have in their path or body: an id, or the path of a membership. */
const pathOf = (id: string): string => id.replace(/^(org_[^/]+)[/]/, 'organizations/$1/users/');

interface RowActionsProps extends Pick<RowPanelProps, 'name' | 'close'> {
  readonly row: Row;
  readonly isEdited: boolean;
  readonly setEdited: (isEdited: boolean) => void;
}

const RowActions = ({ name, row, isEdited, setEdited, close }: RowActionsProps) => {
  const { moves, required } = KINDS[name];
  const title = nameOf(KINDS[name], row);
  const remove = () =>
    actWithUndo(() => removeRow(name, row).then(close), `${toWords(oneOf(KINDS[name]))} ${title} deleted.`);
  const edit = () => setEdited(!isEdited);
  const own: Action[] = [
    { label: 'Edit', isOn: isEdited, isPrimary: true, choose: edit },
    { label: 'Delete', isDangerous: true, choose: remove },
  ];
  const actions = [...(moves?.(row) ?? []), ...(required ? own : [])];
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
