/** Texts of the mock: JSON, statuses, headers, a call as a curl command, descriptions, and links to rows and rules. */
import type { ComponentChildren } from 'preact';
import type { MockSchemas } from '../live/api.ts';
import { addressOf } from '../route.ts';
import { Facts } from './layout.tsx';

export interface SampleCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const toCurl = ({ method, url, headers, body }: SampleCall): string =>
  [
    `curl ${method === 'HEAD' ? '-I' : `-X ${method}`} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ');

export const Headers = ({ title, of }: Readonly<{ title: string; of: SampleCall['headers'] }>) => (
  <details>
    <summary>{title} headers</summary>
    <Facts className="headers" of={Object.entries(of)} />
  </details>
);

type Message = Pick<MockSchemas['Request']['response'], 'headers' | 'body' | 'body_cut'>;
type MessageProps = Readonly<{ title: string; about?: ComponentChildren; message: Message }>;

export const MessageView = ({ title, about, message }: MessageProps) => (
  <section>
    <h3>
      {title} <small>{about}</small>
    </h3>
    {message.body !== undefined && <Json value={message.body} label={`${title} body`} />}
    {message.body_cut && <p class="quiet">The journal keeps only the first 64 KiB of a body.</p>}
    <Headers title={title} of={message.headers} />
  </section>
);

export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by arrow keys needs the focus
  <section class="json" tabIndex={0} aria-label={label}>
    {typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}
  </section>
);

export const Code = ({ status }: { readonly status: number }) => (
  <span class={`code c${Math.floor(status / 100)}`}>{status === 0 ? 'cut' : status}</span>
);

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

/** A text in which ids of rows and addresses are links. */
export const Linked = ({ text }: { readonly text: string }) =>
  text.split(/(\b[a-z]+_\d{18}\b|https?:\/\/\S+[^\s.,)])/).map((part) => {
    const address = addressOfRow(part) ?? (/^https?:/.test(part) ? part : undefined);
    return address ? <a href={address}>{part}</a> : part;
  });

export const RuleLink = ({ rule }: { readonly rule: string }) => {
  const to = { href: `guide/rules#${rule.toLowerCase()}`, title: `Read rule ${rule}`, children: rule };
  return <a {...to} target="_blank" rel="noopener" />;
};

/** Matches Markdown code, names of rules, such as A4, and links, but not `javascript:` links. */
const MARK = /`([^`]+)`|\b([TREIAVCPMLX]\d{1,2})\b|\[([^\]]+)\]\((https?:\/\/[^\s()]+|[^\s():]+)\)/;

/** How to show each part of a text that is split by the pattern: what is between the marks, and its groups. */
const FORMS = [
  (text: string) => text,
  (code: string) => <code>{code}</code>,
  (rule: string) => <RuleLink rule={rule} />,
  (label: string, href = '') => <a {...{ href, children: label }} target="_blank" rel="noopener" />,
  () => null,
];

export const toInline = (text: string): ComponentChildren[] =>
  text.split(MARK).map((part, at, parts) => part && FORMS[at % FORMS.length]?.(part, parts[at + 1]));

export const Prose = ({ text = '' }: { readonly text?: string | undefined }) => (
  <>{text.split(/\n\s*\n/).map((paragraph) => paragraph && <p>{toInline(paragraph)}</p>)}</>
);

/** Marks a statement that is not in the service's description, with the reason for it. */
export const Inferred = ({ reason }: { readonly reason?: string | undefined }) =>
  reason && (
    <small>
      <span class="info">inferred</span> {toInline(reason)}
    </small>
  );
