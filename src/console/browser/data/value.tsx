/** Shows the value of a row's member as a time, a status, a link or plain text. */
import { isObject, type Row, textOf } from '../live/api.ts';
import { formatDistance, formatInstant, useNow } from '../live/clock.ts';
import { useEnvironment } from '../live/live.tsx';
import { ICONS, Menu } from '../parts/buttons.tsx';
import { addressOfRow } from '../parts/code.tsx';
import { callOf, movesOf } from '../parts/moves.ts';

/** Shows a time relative to the environment's current time. The tooltip gives the exact time. */
export const Time = ({ value }: { readonly value: string }) => {
  const now = useNow(useEnvironment().clock);
  const epoch = Date.parse(value);
  return (
    <time dateTime={value} title={`${formatInstant(epoch)} UTC`}>
      {formatDistance(epoch - now)}
    </time>
  );
};

/** A status as a coloured word. If the row has actions, the word opens a menu of them. */
export const Status = ({ row }: { readonly row: Row }) => {
  const { status, tone } = row;
  if (status === undefined) return null;
  const className = `status ${tone}`;
  const items = movesOf(row);
  if (items.length === 0) return <span class={className}>{status}</span>;
  const label = `${status}: change ${callOf(row)}`;
  return <Menu {...{ className, label, items }} face={[status, ' ', ICONS.caret]} />;
};

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const toLine = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return [value].flat().some(isObject) ? JSON.stringify(value) : textOf(value);
};

export const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  const text = toLine(value);
  const row = addressOfRow(text);
  if (text === '' || text === 'never') return <span class="quiet">{text || '–'}</span>;
  if (INSTANT.test(text)) return <Time value={text} />;
  if (row && name !== 'id') return <a href={row}>{text}</a>;
  const cut = { class: 'cut', title: text, children: text };
  if (/^https?:/.test(text)) return <a {...cut} href={text} target="_blank" rel="noopener" />;
  return /(?:^|_)id$/.test(name) ? <code {...cut} /> : <span {...cut} />;
};
