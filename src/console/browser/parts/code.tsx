/** Shows JSON as coloured text, and a call as code in several languages. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { createStore, useStore } from '../live/store.ts';
import { CopyButton } from './buttons.tsx';

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

const toFetch = ({ method, url, headers, body = '' }: SampleCall): string => {
  const isJson = headers['Content-Type'] === 'application/json';
  const sent = isJson ? `JSON.stringify(${body.replaceAll('\n', '\n  ')})` : JSON.stringify(body);
  return `const response = await fetch('${url}', {
  method: '${method}',
  headers: ${JSON.stringify(headers)},${body === '' ? '' : `\n  body: ${sent},`}
});
console.log(response.status, await response.json());`;
};

export const toSamples = (call: SampleCall) => ({ curl: toCurl(call), fetch: toFetch(call) });

/** `POST /_mock/grpc` returns the gRPC method and the message of an API call. */
export type GrpcCall = Readonly<Record<'method', string> & Record<'message', object>>;

/** The call as a grpcurl command. grpcurl asks the server for the types of the messages. */
export const toGrpcurl = ({ url, headers }: SampleCall, { method, message }: GrpcCall): string => {
  const { protocol, host } = new URL(url);
  const { 'Content-Type': _, ...metadata } = headers;
  return [
    `grpcurl ${protocol === 'http:' ? '-plaintext' : '-insecure'}`,
    ...toFlags(metadata),
    `-d ${quote(JSON.stringify(message, undefined, 2))}`,
    `${host} ${method}`,
  ].join(' \\\n  ');
};

/** The language that the user chose last, on any page. */
const language = createStore('');

export const Samples = ({ samples }: { readonly samples: Readonly<Record<string, string>> }) => {
  const names = Object.keys(samples);
  const wanted = useStore(language);
  const chosen = names.includes(wanted) ? wanted : (names[0] ?? '');
  const text = samples[chosen] ?? '';
  return (
    <div>
      <header class="bar">
        <fieldset class="choice">
          <legend>Code</legend>
          {names.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="language"
                checked={name === chosen}
                onChange={() => language.set(name)}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <CopyButton label="Copy code" text={text} />
      </header>
      <Json value={text} label="Code" />
    </div>
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
