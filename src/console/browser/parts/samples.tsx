/** Shows a call as code in several languages. */
import { useState } from 'preact/hooks';
import { CopyButton } from './copy.tsx';
import { Json } from './json.tsx';

export interface SampleCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, as text. */
  readonly body?: string;
}

/** Quotes a text for POSIX shells. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const toCurl = ({ method, url, headers, body }: SampleCall): string => {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`--data-raw ${quote(body)}`);
  return [`curl ${method === 'HEAD' ? '-I' : `-X ${method}`} ${quote(url)}`, ...lines].join(' \\\n  ');
};

/** Indents JSON one step further. Turns any other text into a string literal. */
const literal = (body: string): { readonly isJson: boolean; readonly text: string } => {
  try {
    return { isJson: true, text: JSON.stringify(JSON.parse(body), undefined, 2).replaceAll('\n', '\n  ') };
  } catch {
    return { isJson: false, text: JSON.stringify(body) };
  }
};

const PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

const toPython = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => PYTHON[token] ?? token);

/** The code of a call, by language. */
export const toSamples = (call: SampleCall): Readonly<Record<string, string>> => {
  const { method, url, headers, body } = call;
  const json = body === undefined ? undefined : literal(body);
  const fetched = [
    `const response = await fetch('${url}', {`,
    `  method: '${method}',`,
    `  headers: ${JSON.stringify(headers)},`,
    json && `  body: ${json.isJson ? `JSON.stringify(${json.text})` : json.text},`,
    '});\nconsole.log(response.status, await response.json());',
  ];
  const requested = [
    `import requests\n\nresponse = requests.request(\n  '${method}',\n  '${url}',`,
    `  headers=${JSON.stringify(headers)},`,
    json && `  ${json.isJson ? `json=${toPython(json.text)}` : `data=${json.text}`},`,
    ')\nprint(response.status_code, response.json())',
  ];
  return {
    curl: toCurl(call),
    fetch: fetched.filter(Boolean).join('\n'),
    Python: requested.filter(Boolean).join('\n'),
  };
};

/** The reply of `POST /_mock/grpc`. */
export interface GrpcCall {
  readonly method: string;
  readonly message: object;
}

/** The call as a grpcurl command. grpcurl asks the server for the types of the messages. */
export const toGrpcurl = ({ url, headers }: SampleCall, { method, message }: GrpcCall): string => {
  const { protocol, host } = new URL(url);
  const parts = [
    `grpcurl ${protocol === 'http:' ? '-plaintext' : '-insecure'}`,
    ...Object.entries(headers)
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `-d ${quote(JSON.stringify(message, undefined, 2))}`,
    `${host} ${method}`,
  ];
  return parts.join(' \\\n  ');
};

let lastChosen = '';

/** @param samples the code, by language */
export const Samples = ({ samples }: { readonly samples: Readonly<Record<string, string>> }) => {
  const [wanted, choose] = useState(lastChosen);
  const names = Object.keys(samples);
  const chosen = names.find((name) => name === wanted) ?? names[0] ?? '';
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
                onChange={() => {
                  lastChosen = name;
                  choose(name);
                }}
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
