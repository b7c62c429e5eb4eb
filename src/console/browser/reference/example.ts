/** The calls that an operation's examples describe, for the request editor. */
import { isObject, type MockSchemas, textOf } from '../live/api.ts';
import type { SampleCall } from '../parts/code.tsx';
import { bodyOf, type ContractDocument, type DocumentedOperation, type Parameter } from './document.ts';

type Values = Readonly<Record<string, unknown>>;

const FORM = 'application/x-www-form-urlencoded';

/** The names of an operation's examples. Examples of the same name belong to the same call. */
export const exampleNames = (operation: DocumentedOperation): readonly string[] => {
  const all = [bodyOf(operation), ...operation.parameters].map(({ examples = {} }) => Object.keys(examples));
  return [...new Set(all.flat())];
};

/** The values of an example: parameters by name, and `body`. */
const fillIn = (operation: DocumentedOperation, chosen: string, env: string): Values => {
  const pick = ({ name, required, schema, example, examples }: Parameter): unknown => {
    if (name === 'env' || name === 'environments') return env;
    const given = examples?.[chosen];
    // An optional parameter that is not in the chosen example stays empty: values from other examples might not fit.
    if (given || !required) return given?.value;
    return examples ? Object.values(examples)[0]?.value : (example ?? schema.enum?.[0]);
  };
  const { type, examples = {} } = bodyOf(operation);
  const body = examples[chosen] ?? Object.values(examples)[0];
  return {
    ...Object.fromEntries(operation.parameters.map((parameter) => [parameter.name, pick(parameter)])),
    ...(type && { body: body?.value }),
  };
};

interface CallProps {
  readonly contract: ContractDocument;
  readonly operation: DocumentedOperation;
  readonly environment: MockSchemas['Environment'];
}

/** The Authorization header of a call; none if the call needs no credentials or has them in its body. */
const authorize = ({ contract, operation, environment }: CallProps, sent: string) => {
  const { client_id, client_secret, access_token = 'TOKEN' } = environment;
  if (contract.isControl) return {};
  if (!operation.security) return { Authorization: `Bearer ${access_token}` };
  const isByForm = sent.includes('client_id=') || !operation.security.some((way) => 'clientBasic' in way);
  return isByForm ? {} : { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
};

/** The call of an example, with the credentials of the environment. */
export const toCall = (props: CallProps, example: string): SampleCall => {
  const { contract, operation, environment } = props;
  const values = fillIn(operation, example, environment.name);
  const { method, parameters } = operation;
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (whole, name) => encodeURIComponent(textOf(values[name])) || whole,
  );
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name }) => [values[name] ?? []].flat().map((one) => [name, textOf(one)]));
  const { type } = bodyOf(operation);
  const { body } = values;
  const hasBody = type !== undefined && isObject(body);
  const isForm = type === FORM;
  const own = { client_id: environment.client_id, client_secret: environment.client_secret };
  const form = isObject(body) && 'client_id' in body ? { ...body, ...own } : body;
  const sent = !hasBody
    ? ''
    : isForm
      ? String(new URLSearchParams(Object.entries(form ?? {}).map(([name, value]) => [name, textOf(value)])))
      : JSON.stringify(body, undefined, 2);
  return {
    method,
    url: `${contract.base}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: { ...authorize(props, sent), ...(hasBody && { 'Content-Type': type }) },
    ...(hasBody && { body: sent }),
  };
};
