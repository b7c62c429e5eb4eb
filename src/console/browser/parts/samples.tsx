/** Shows a call as code in several languages. */
import { useState } from 'preact/hooks';
import { CopyButton } from './buttons.tsx';
import { Json } from './json.tsx';

export interface SampleCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, as text. */
  readonly body?: string;
}

/** The code of a call, by language. */
type Snippets = Readonly<Record<string, string>>;

/** Quotes a text for POSIX shells. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const toFlags = (headers: SampleCall['headers']): string[] =>
  Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);

export const toCurl = ({ method, url, headers, body }: SampleCall): string => {
  const flags = [...toFlags(headers), ...(body === undefined ? [] : [`--data-raw ${quote(body)}`])];
  return [`curl ${method === 'HEAD' ? '-I' : `-X ${method}`} ${quote(url)}`, ...flags].join(' \\\n  ');
};

/** Indents JSON one step further. Undefined if the text is not JSON. */
const toIndented = (body = ''): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2).replaceAll('\n', '\n  ');
  } catch {
    return undefined;
  }
};

const toFetch = ({ method, url, headers, body }: SampleCall): string => {
  const json = toIndented(body);
  const sent = json === undefined ? JSON.stringify(body) : `JSON.stringify(${json})`;
  return `const response = await fetch('${url}', {
  method: '${method}',
  headers: ${JSON.stringify(headers)},${body === undefined ? '' : `\n  body: ${sent},`}
});
console.log(response.status, await response.json());`;
};

const PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

const toPython = ({ method, url, headers, body }: SampleCall): string => {
  const json = toIndented(body);
  const literal = json?.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (all) => PYTHON[all] ?? all);
  const sent = literal === undefined ? `data=${JSON.stringify(body)}` : `json=${literal}`;
  return `import requests

response = requests.request(
  '${method}',
  '${url}',
  headers=${JSON.stringify(headers)},${body === undefined ? '' : `\n  ${sent},`}
)
print(response.status_code, response.json())`;
};

export const toSamples = (call: SampleCall): Snippets => ({
  curl: toCurl(call),
  fetch: toFetch(call),
  Python: toPython(call),
});

/** The reply of `POST /_mock/grpc`. */
export interface GrpcCall {
  readonly method: string;
  readonly message: object;
}

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
let wanted = '';

export const Samples = ({ samples }: { readonly samples: Snippets }) => {
  const [, draw] = useState({});
  const names = Object.keys(samples);
  const chosen = names.find((name) => name === wanted) ?? names[0] ?? '';
  const text = samples[chosen] ?? '';
  const choose = (name: string): void => {
    wanted = name;
    draw({});
  };
  return (
    <div>
      <header class="bar">
        <fieldset class="choice">
          <legend>Code</legend>
          {names.map((name) => (
            <label key={name}>
              <input type="radio" name="language" checked={name === chosen} onChange={() => choose(name)} />
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
