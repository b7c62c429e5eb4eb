/** Shows the value of a row's member, in tables and panels, as a time, a status, a link or plain text. */
import { isObject, type Row, textOf } from '../live/api.ts';
import { formatDistance, formatInstant, useNow } from '../live/clock.ts';
import { useEnvironment } from '../live/environment.tsx';
import { type Action, ICONS, Menu } from '../parts/buttons.tsx';
import { addressOfRow } from '../parts/linked.tsx';

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

const TONES = {
  good: ['ACTIVE', 'COMPLETED', 'SUCCESS'],
  info: ['OPEN'],
  bad: ['EXPIRED', 'FAILED', 'DISCONNECTED', 'INVITE_EXPIRED'],
  warn: ['PENDING_AUTH', 'PENDING_VERIFICATION', 'PENDING_INVITE', 'PENDING', 'IN_PROGRESS'],
};

interface StatusProps {
  readonly status: string;
  readonly of?: string;
  readonly moves?: readonly Action[];
}

/** A status as a coloured word. If the user can change it, the word opens a menu of actions. */
export const Status = ({ status, of, moves = [] }: StatusProps) => {
  const [tone] = Object.entries(TONES).find(([, statuses]) => statuses.includes(status)) ?? ['quiet'];
  const className = `status ${tone}`;
  if (moves.length === 0) return <span class={className}>{status}</span>;
  const label = `${status}: change status of ${of}`;
  return <Menu className={className} label={label} items={moves} face={[status, ' ', ICONS.caret]} />;
};

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  if (Array.isArray(value) && value.some(isObject)) return <Tags rows={value} />;
  const text = toLine(value);
  const row = addressOfRow(text);
  if (text === '') return <span class="quiet">–</span>;
  if (INSTANT.test(text)) return <Time value={text} />;
  if (/status$/.test(name)) return <Status status={text} />;
  if (row && name !== 'id') return <a href={row}>{text}</a>;
  const cut = { class: 'cut', title: text, children: text };
  if (/^https?:/.test(text)) return <a {...cut} href={text} target="_blank" rel="noopener" />;
  return /(?:^|_)id$/.test(name) ? <code {...cut} /> : <span {...cut} />;
};

const toLine = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return isObject(value) ? JSON.stringify(value) : textOf(value);
};

const Tags = ({ rows }: { readonly rows: readonly Row[] }) => (
  <div class="cluster">
    {rows.map(({ name, type, membership_status: status }) => (
      <span key={name ?? type} class="tag">
        {textOf(name ?? type)} {status !== undefined && <small>{textOf(status)}</small>}
      </span>
    ))}
  </div>
);
