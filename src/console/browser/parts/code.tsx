/** Shows JSON as coloured text, and a call as a curl command. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { MockSchemas } from '../live/api.ts';
import { Facts } from './layout.tsx';

export interface SampleCall {
  readonly method: string;
  readonly url: string;
  readonly headers: HeadersOf;
  readonly body?: string;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const toCurl = ({ method, url, headers, body }: SampleCall): string =>
  [
    `curl ${method === 'HEAD' ? '-I' : `-X ${method}`} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ');

type HeadersOf = Readonly<Record<string, string>>;

export const Headers = ({ title, of }: { readonly title: string; readonly of: HeadersOf }) => (
  <details>
    <summary>{title} headers</summary>
    <Facts className="headers" of={Object.entries(of)} />
  </details>
);

interface MessageProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly message: Pick<MockSchemas['Request']['response'], 'headers' | 'body' | 'body_cut'>;
}

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

export const Json = ({ value, label }: { readonly value: unknown; readonly label: string }) => {
  const isText = typeof value === 'string';
  const text = isText ? value : (JSON.stringify(value, undefined, 2) ?? '');
  // Colouring more than 40,000 characters would take too long.
  const parts = useMemo(() => (isText || text.length > 40_000 ? [text] : colour(text)), [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by arrow keys needs the focus
    <section class="json" tabIndex={0} aria-label={label}>
      <pre>{parts}</pre>
    </section>
  );
};

/** Matches a member's name, another string, or another value. */
const TOKEN =
  /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/;
const KINDS = [undefined, 'member', 'string', 'value'];

/** A split by the pattern has a plain part and then one of each kind, all but one of them undefined. */
const colour = (text: string): ComponentChildren[] =>
  text.split(TOKEN).map((part, place) => part && <span class={KINDS[place % KINDS.length]}>{part}</span>);

export const Code = ({ status }: { readonly status: number }) => (
  <span class={`code c${Math.floor(status / 100)}`}>{status === 0 ? 'cut' : status}</span>
);
