/** The values in a copied test: recorded ones, credentials of its own environment, and ids that its own calls made. */
import { MASK } from '../engine/core/secrets.ts';
import type { RecordedCalls } from './copied-calls.ts';

type Entry = RecordedCalls['calls'][number];

/** A value that an earlier call of the test makes anew, and the expression that reads it there. */
export interface Known {
  readonly value: string;
  readonly expression: string;
}

const flatten = (value: unknown, path: string): (readonly [string, string])[] => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return value === undefined ? [] : [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, part]) =>
    flatten(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`),
  );
};

/** Matches ids that the mock makes: `ca_100000000000000013`, and `WIKI:100000000000000001` of a custom provider. */
const MADE = /^(?:[a-z]+_|\w+:)\d{18}$/;

/** The ids that a call made. @param reply the name of its reply in the test */
export const madeBy = ({ status, response }: Entry, reply: string): readonly Known[] =>
  status === 201
    ? flatten(response.body, reply)
        .filter(([path, value]) => MADE.test(value) && /^[\w.[\]]+$/.test(path))
        .map(([expression, value]) => ({ value, expression }))
    : [];

const inTemplate = (text: string): string => text.replaceAll(/[\\`]|\$\{/g, '\\$&');

export const writeUrl = (url: string, known: readonly Known[]): string =>
  known.reduce(
    (text, { value, expression }) =>
      text
        .replaceAll(value, () => `\${${expression}}`)
        .replaceAll(encodeURIComponent(value), () => `\${encodeURIComponent(${expression})}`),
    inTemplate(url),
  );

/** Headers that a repeated call leaves out: clients set them, only browsers send them, or they name an environment. */
const LEFT_OUT =
  /^(?:host|content-length|connection|keep-alive|accept-encoding|transfer-encoding|user-agent|origin|referer|sec-.*|accept-language|cookie|x-mock-environment|baggage|traceparent|tracestate)$/;

/** Whether the mock refused the credentials of a call. The test then sends what the journal shows of them. */
const isUnauthenticated = ({ status, fault }: Entry): boolean => status === 401 && fault === undefined;

/** The headers of a call as members of a literal. A call without a valid token names its environment. */
export const writeHeaders = (entry: Entry): string => {
  const { headers } = entry.request;
  const isRefused = isUnauthenticated(entry);
  const sent = Object.entries(headers)
    .filter(([name, value]) => !LEFT_OUT.test(name) && !(name === 'accept' && value === '*/*'))
    .map(([name, value]) => {
      const own = name === 'authorization' && !isRefused ? CREDENTIALS[value] : undefined;
      return `${JSON.stringify(name)}: ${own ?? JSON.stringify(value)}`;
    });
  if (headers.authorization !== `Bearer ${MASK}` || isRefused) sent.push('"x-mock-environment": env.name');
  return sent.join(', ');
};

/** What a masked header or field of a token request gets instead. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  [`Bearer ${MASK}`]: `\`Bearer \${env.credentials.accessToken}\``,
  [`Basic ${MASK}`]: `\`Basic \${btoa(\`\${env.credentials.clientId}:\${env.credentials.clientSecret}\`)}\``,
  client_id: 'env.credentials.clientId',
  client_secret: 'env.credentials.clientSecret',
};

/** The body, with what earlier calls made, and with the credentials of the test's environment. */
export const writeBody = (entry: Entry, known: readonly Known[]): string => {
  const { body } = entry.request;
  const own = (name: string): string | undefined =>
    isUnauthenticated(entry) ? undefined : CREDENTIALS[name];
  if (typeof body === 'string')
    return `\`${inTemplate(body).replaceAll(/\b(client_id|client_secret)=[^&]*/g, (all, name) =>
      own(name) ? `${name}=\${encodeURIComponent(${own(name)})}` : all,
    )}\``;
  const literal = JSON.stringify(body)
    .replaceAll('"__proto__":', '["__proto__"]:') // as a plain member it would set the prototype
    .replaceAll(/"(client_id|client_secret)":"[^"\\]*"/g, (all, name) =>
      own(name) ? `"${name}":${own(name)}` : all,
    );
  return `JSON.stringify(${known.reduce((text, { value, expression }) => text.replaceAll(`"${value}"`, () => expression), literal)})`;
};
