/** Shows a member of a row in words, in tables and panels. */
import { type KindName, type Row, textOf } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { addressOf } from '../route.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Kinds of rows by the beginning of their ids. */
const BY_PREFIX: Readonly<Record<string, KindName>> = {
  ca: 'connected_accounts',
  org: 'organizations',
  usr: 'users',
  conn: 'connections',
  role: 'roles',
};

export const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null;

/** @param name the name of the member */
export const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  const { name: environment } = useEnvironment();
  const text = toLine(value);
  if (Array.isArray(value) && value.some(isObject)) return <Tags rows={value} />;
  const view = BY_PREFIX[/^([a-z]+)_\d+$/.exec(text)?.[1] ?? ''];
  if (text === '') return <span class="quiet">–</span>;
  if (INSTANT.test(text)) return <Time value={text} />;
  if (/status$/.test(name)) return <Status status={text} of="" />;
  if (view && name !== 'id') return <a href={addressOf({ environment, view, id: text })}>{text}</a>;
  if (/^https?:/.test(text))
    return (
      <a class="cut" href={text} title={text} target="_blank" rel="noopener">
        {text}
      </a>
    );
  const Text = /(?:^|_)id$/.test(name) ? 'code' : 'span';
  return (
    <Text class="cut" title={text}>
      {text}
    </Text>
  );
};

const toLine = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return isObject(value) ? JSON.stringify(value) : textOf(value);
};

/** The names and statuses of the rows inside a row. */
const Tags = ({ rows }: { readonly rows: readonly Row[] }) => (
  <div class="cluster">
    {rows.map(({ name, type, membership_status: status }) => (
      <span key={textOf(name ?? type)} class="tag">
        {textOf(name ?? type)} <small>{textOf(status)}</small>
      </span>
    ))}
  </div>
);
