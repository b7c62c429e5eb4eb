/** Text of the mock in which ids of rows are links to the rows. */
import type { KindName } from '../live/api.ts';
import { addressOf } from '../route.ts';

/** Kinds of rows by the beginning of their ids. */
const BY_PREFIX: Readonly<Record<string, KindName>> = {
  ca: 'connected_accounts',
  org: 'organizations',
  usr: 'users',
  conn: 'connections',
  role: 'roles',
  prv: 'custom_providers',
};

/** The address of the row with this id. Undefined if the text is not an id. */
export const addressOfRow = (text: string): string | undefined => {
  const view = BY_PREFIX[/^([a-z]+)_\d+$/.exec(text)?.[1] ?? ''];
  return view && addressOf({ view, id: text });
};

export const Linked = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(\b[a-z]+_\d{18}\b)/).map((part) => {
      const address = addressOfRow(part);
      return address ? <a href={address}>{part}</a> : part;
    })}
  </>
);
