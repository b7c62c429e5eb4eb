/** Turns the fields of an operation into a call. */
import { controlAuthorization, type Schemas } from '../live/api.ts';
import { toText } from '../parts/field.tsx';
import type { SampleCall } from '../parts/samples.tsx';
import { bodyOf, type ContractDocument, type DocumentedOperation, type Parameter } from './document.ts';

/** The values in the fields of a form: parameters by name, and the body as text. */
export interface FilledFields {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

export const FORM = 'application/x-www-form-urlencoded';

/** The names of an operation's examples. Parameters and a body with the same example name belong together. */
export const exampleNames = (operation: DocumentedOperation): readonly string[] => {
  const all = [bodyOf(operation), ...operation.parameters].map(({ examples = {} }) => Object.keys(examples));
  return [...new Set(all.flat())];
};

/** @param chosen the name of an example @param env the name of the environment to call */
export const fillIn = (operation: DocumentedOperation, chosen: string, env: string): FilledFields => {
  const pick = ({ name, required, schema, example, examples }: Parameter): unknown => {
    if (name === 'env' || name === 'environments') return env;
    const given = examples?.[chosen];
    // Optional filters stay empty: each example works alone, but together they contradict each other.
    if (given || !required) return given?.value;
    return examples ? Object.values(examples)[0]?.value : (example ?? schema.enum?.[0]);
  };
  const { examples = {} } = bodyOf(operation);
  const body = examples[chosen] ?? Object.values(examples)[0];
  return {
    values: Object.fromEntries(
      operation.parameters.map((parameter) => [parameter.name, toText(pick(parameter))]),
    ),
    body: body ? JSON.stringify(body.value, undefined, 2) : '',
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

/** The credentials of a call of the API. An operation of OAuth takes them from its form, or by Basic. */
const authorization = (
  { security }: DocumentedOperation,
  sent: string,
  { client_id, client_secret }: Schemas['Environment'],
  token: string,
): { readonly Authorization?: string } => {
  if (!security) return { Authorization: `Bearer ${token}` };
  const isByForm = sent.includes('client_id=') || !security.some((way) => 'clientBasic' in way);
  return isByForm ? {} : { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
};

/** @param token the environment's access token; the control plane gets its own token instead */
export const toCall = (
  { base, isControl }: ContractDocument,
  operation: DocumentedOperation,
  { values, body }: FilledFields,
  environment: Schemas['Environment'],
  token: string,
): SampleCall => {
  const { method, parameters } = operation;
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (whole, name) => encodeURIComponent(values[name] ?? '') || whole,
  );
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => queryOf(parameter, values[parameter.name] ?? ''));
  const { type } = bodyOf(operation);
  const sent = type === FORM ? toForm(body) : body;
  const hasBody = type !== undefined && body !== '';
  return {
    method,
    url: `${base}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: {
      ...(isControl ? controlAuthorization() : authorization(operation, sent, environment, token)),
      ...(hasBody && { 'Content-Type': type }),
    },
    ...(hasBody && { body: sent }),
  };
};
