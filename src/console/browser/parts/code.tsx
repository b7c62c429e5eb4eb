/** Shows JSON as coloured text, and a call as a curl command. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { MockSchemas } from '../live/api.ts';
import { Facts } from './layout.tsx';

export interface SampleCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const toFlags = (headers: SampleCall['headers']): string[] =>
  Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);

export const toCurl = ({ method, url, headers, body }: SampleCall): string => {
  const flags = [...toFlags(headers), ...(body === undefined ? [] : [`--data-raw ${quote(body)}`])];
  return [`curl ${method === 'HEAD' ? '-I' : `-X ${method}`} ${quote(url)}`, ...flags].join(' \\\n  ');
};

interface MessageProps {
  readonly title: string;
  readonly isTitled?: boolean;
  readonly message: Pick<MockSchemas['Request']['response'], 'headers' | 'body' | 'body_cut'>;
}

export const MessageView = ({ title, isTitled = true, message }: MessageProps) => {
  const { headers, body, body_cut } = message;
  return (
    <section>
      {isTitled && <h3>{title}</h3>}
      {body !== undefined && <Json value={body} label={`${title} body`} />}
      {body_cut && <p class="quiet">The journal keeps only the first 64 KiB of a body.</p>}
      <details>
        <summary>{title} headers</summary>
        <Facts className="headers" of={Object.entries(headers)} />
      </details>
    </section>
  );
};

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

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const colour = (text: string) => {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: token, 1: string, 2: colon, index } of text.matchAll(TOKEN)) {
    const kind = colon !== undefined ? 'member' : string !== undefined ? 'string' : 'value';
    const shown = colon === undefined ? token : (string ?? '');
    parts.push(text.slice(end, index), <span class={kind}>{shown}</span>);
    end = index + shown.length;
  }
  return [...parts, text.slice(end)];
};

export const Code = ({ status }: { readonly status: number }) => (
  <span class={`code c${Math.floor(status / 100)}`}>{status === 0 ? 'cut' : status}</span>
);
