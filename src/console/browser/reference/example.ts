/** The calls that an operation's examples describe, for the request editor. */
import { isObject, type MockSchemas, textOf } from '../live/api.ts';
import type { SampleCall } from '../parts/code.tsx';
import { type ContractDocument, contentOf, type DocumentedOperation, type Parameter } from './document.ts';

/** The names of an operation's examples. Examples of the same name belong to the same call. */
export const exampleNames = ({ parameters, requestBody }: DocumentedOperation): readonly string[] => {
  const all = [contentOf(requestBody), ...parameters].flatMap(({ examples = {} }) => Object.keys(examples));
  return [...new Set(all)];
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

/** The body of an example, with the environment's client. */
const fillIn = ({ operation, environment }: CallProps, example: string) => {
  const { type, examples = {} } = contentOf(operation.requestBody);
  const { value } = examples[example] ?? Object.values(examples)[0] ?? {};
  if (!isObject(value)) return;
  const { client_id, client_secret } = environment;
  const filled = 'client_id' in value ? { ...value, client_id, client_secret } : value;
  const fields = Object.entries(filled).map(([name, each]) => [name, textOf(each)]);
  const isForm = type === 'application/x-www-form-urlencoded';
  return { type, text: isForm ? String(new URLSearchParams(fields)) : JSON.stringify(filled, undefined, 2) };
};

/** The call of an example, with the credentials of the environment. */
export const toCall = (props: CallProps, example: string): SampleCall => {
  const { contract, operation, environment } = props;
  const { method, parameters } = operation;
  const pick = ({ name, required, schema, examples, example: only }: Parameter): unknown => {
    if (name === 'env' || name === 'environments') return environment.name;
    const given = examples?.[example];
    // An optional parameter that is not in the chosen example stays empty: values from other examples might not fit.
    if (given || !required) return given?.value;
    return examples ? Object.values(examples)[0]?.value : (only ?? schema.enum?.[0]);
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const parameter = parameters.find((each) => each.name === name);
    return encodeURIComponent(textOf(parameter && pick(parameter))) || whole;
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((each) => [pick(each) ?? []].flat().map((value) => [each.name, textOf(value)]));
  const body = fillIn(props, example);
  return {
    method,
    url: `${contract.base}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: { ...authorize(props, body?.text ?? ''), ...(body && { 'Content-Type': body.type }) },
    ...(body && { body: body.text }),
  };
};
