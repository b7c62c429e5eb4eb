/** Texts of the mock with links: ids lead to their rows, and names of rules to the guide. */
import { addressOf } from '../route.ts';

/** Kinds of rows by the beginning of their ids. */
const BY_PREFIX: Readonly<Record<string, string>> = {
  ca: 'connected_accounts',
  org: 'organizations',
  usr: 'users',
  conn: 'connections',
  role: 'roles',
  prv: 'custom_providers',
};

/** The address of the row with this id. Undefined if the text is not an id. */
export const addressOfRow = (text: string): string | undefined => {
  const part = BY_PREFIX[/^([a-z]+)_\d+$/.exec(text)?.[1] ?? ''];
  return part && addressOf({ view: 'data', part, id: text });
};

export const Linked = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(\b[a-z]+_\d{18}\b|https?:\/\/\S+[^\s.,)])/).map((part) => {
      const address = addressOfRow(part) ?? (/^https?:/.test(part) ? part : undefined);
      return address ? <a href={address}>{part}</a> : part;
    })}
  </>
);

export const RuleLink = ({ rule }: { readonly rule: string }) => {
  const to = { href: `guide/rules#${rule.toLowerCase()}`, title: `Read rule ${rule}`, children: rule };
  return <a {...to} target="_blank" rel="noopener" />;
};
