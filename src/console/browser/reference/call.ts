/** Turns the fields of an operation into a call. */
import { controlToken, type Schemas } from '../live/api.ts';
import type { SampleCall } from '../parts/samples.tsx';
import { toText } from '../parts/schema-form.tsx';
import type { ContractDocument, DocumentedOperation, Examples, Parameter } from './document.ts';

/** The values in the fields of a form: parameters by name, and the body as text. */
export interface FilledFields {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

const FORM = 'application/x-www-form-urlencoded';

const bodyTypeOf = ({ requestBody }: DocumentedOperation): string | undefined =>
  Object.keys(requestBody?.content ?? {})[0];

export const bodyOf = (operation: DocumentedOperation) =>
  operation.requestBody?.content[bodyTypeOf(operation) ?? ''];

export const isFormBody = (operation: DocumentedOperation): boolean => bodyTypeOf(operation) === FORM;

/** The names of an operation's examples. Parameters and a body with the same example name belong together. */
export const exampleNames = (operation: DocumentedOperation): readonly string[] => {
  const all = [bodyOf(operation)?.examples, ...operation.parameters.map(({ examples }) => examples)];
  return [...new Set(all.flatMap((examples) => Object.keys(examples ?? {})))];
};

const firstOf = (examples: Examples): unknown => Object.values(examples)[0]?.value;

const pickValue = (
  { name, required, schema, example, examples }: Parameter,
  chosen: string,
  env: string,
): unknown => {
  if (name === 'env' || name === 'environments') return env;
  if (examples) return examples[chosen]?.value ?? (required ? firstOf(examples) : undefined);
  // Optional filters stay empty: each example works alone, but together they contradict each other.
  return required ? (example ?? schema.enum?.[0]) : undefined;
};

/**
 * @param chosen the name of an example
 * @param env the name of the environment to call
 */
export const fillIn = (operation: DocumentedOperation, chosen: string, env: string): FilledFields => {
  const examples = bodyOf(operation)?.examples ?? {};
  const body = examples[chosen]?.value ?? firstOf(examples);
  return {
    values: Object.fromEntries(
      operation.parameters.map((parameter) => [parameter.name, toText(pickValue(parameter, chosen, env))]),
    ),
    body: body === undefined ? '' : JSON.stringify(body, undefined, 2),
  };
};

const queryOf = ({ name, schema }: Parameter, value: string): string[][] => {
  if (value === '') return [];
  return schema.type === 'array' ? value.split(/\s*,\s*/).map((one) => [name, one]) : [[name, value]];
};

const toForm = (body: string): string => {
  try {
    return String(new URLSearchParams(JSON.parse(body)));
  } catch {
    return body;
  }
};

const authorization = (
  { security }: DocumentedOperation,
  sent: string,
  { client_id, client_secret }: Schemas['Environment'],
  token: string,
): string => {
  if (!security) return `Bearer ${token}`;
  const isByForm = sent.includes('client_id=') || !security.some((way) => 'clientBasic' in way);
  return isByForm ? '' : `Basic ${btoa(`${client_id}:${client_secret}`)}`;
};

/** @param token the environment's access token; the control plane gets its own token instead */
export const toCall = (
  { base, isControl }: ContractDocument,
  operation: DocumentedOperation,
  { values, body }: FilledFields,
  environment: Schemas['Environment'],
  token: string,
): SampleCall => {
  const { method, parameters, path } = operation;
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (whole, name) => encodeURIComponent(values[name] ?? '') || whole,
  );
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => queryOf(parameter, values[parameter.name] ?? ''));
  const type = bodyTypeOf(operation);
  const sent = type === FORM ? toForm(body) : body;
  const control = controlToken() === null ? '' : `Bearer ${controlToken()}`;
  const credentials = isControl ? control : authorization(operation, sent, environment, token);
  return {
    method,
    url: `${base}${filled}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: {
      ...(credentials !== '' && { Authorization: credentials }),
      ...(type !== undefined && body !== '' && { 'Content-Type': type }),
    },
    ...(type !== undefined && body !== '' && { body: sent }),
  };
};
