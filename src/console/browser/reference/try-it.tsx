/** For one operation: a form with example values, sample code that makes the call, and the reply. */
import { useState } from 'preact/hooks';
import { call, controlAuthorization, type MockSchemas } from '../live/api.ts';
import { useLoaded } from '../live/loaded.tsx';
import { type GrpcCall, Json, type SampleCall, Samples, toGrpcurl, toSamples } from '../parts/code.tsx';
import { Field, toText, toValue } from '../parts/forms.tsx';
import { act } from '../parts/notices.ts';
import { Code } from '../views/table.tsx';
import { bodyOf, type ContractDocument, type DocumentedOperation, type Parameter } from './document.ts';

export interface OperationProps {
  readonly contract: ContractDocument;
  readonly operation: DocumentedOperation;
  readonly environment: MockSchemas['Environment'];
}

export const TryIt = (props: OperationProps) => {
  const { operation, environment } = props;
  const names = exampleNames(operation);
  const [chosen, choose] = useState(names[0] ?? '');
  const [fields, setFields] = useState(() => fillIn(operation, chosen, environment.name));
  const [answer, setAnswer] = useState<Awaited<ReturnType<typeof send>>>();
  const { value: grpc, problem } = useLoaded(JSON.stringify(fields), () => readGrpc(props, fields));
  const shown = toCall(props, fields, environment.access_token ?? 'TOKEN');
  const execute = async (): Promise<void> =>
    setAnswer(await send(environment.access_token ? shown : toCall(props, fields, await askToken(props))));
  return (
    <section class="try" aria-label="Try it">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          const { method, url } = shown;
          if (method !== 'DELETE' || confirm(`Send ${method} ${url}?`)) act(execute);
        }}
      >
        {names.length > 1 && (
          <label>
            Example
            <select
              value={chosen}
              onChange={({ currentTarget: { value } }) => {
                choose(value);
                setFields(fillIn(operation, value, environment.name));
              }}
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        {operation.parameters.map(({ name, schema, required = false, example }) => (
          <Field
            key={name}
            name={name}
            schema={schema}
            isRequired={required}
            placeholder={[example ?? []].flat().join(', ')}
            value={fields.values[name] ?? ''}
            onValue={(value) => setFields({ ...fields, values: { ...fields.values, [name]: value } })}
          />
        ))}
        {operation.requestBody && (
          <label>
            {bodyOf(operation).type === FORM ? 'Body (sent as form fields)' : 'Body'}
            <textarea
              rows={Math.min(16, fields.body.split('\n').length + 1)}
              value={fields.body}
              spellcheck={false}
              onInput={({ currentTarget: { value } }) => setFields({ ...fields, body: value })}
            />
          </label>
        )}
        <button type="submit" class="primary">
          Execute
        </button>
      </form>
      {answer && <AnswerView {...answer} />}
      <Samples samples={{ ...toSamples(shown), ...(grpc && !problem && { gRPC: toGrpcurl(shown, grpc) }) }} />
    </section>
  );
};

/** The form's call over gRPC. Undefined for the control plane, if gRPC is off, or if it cannot express the fields. */
const readGrpc = async ({ contract, operation }: OperationProps, { values, body }: FilledFields) => {
  if (contract.isControl) return undefined;
  const given = operation.parameters
    .filter(({ name }) => values[name])
    .map(({ name, schema }) => [name, toValue(name, values[name] ?? '', schema)]);
  const { method, message } = await call<Partial<GrpcCall>>('POST', 'grpc', {
    operation: operation.operationId,
    parameters: Object.fromEntries(given),
    ...(body !== '' && { body: JSON.parse(body) }),
  });
  return method !== undefined && message ? { method, message } : undefined;
};

/** Gets an access token for an environment without a fixed access token. */
const askToken = async ({ contract, environment }: OperationProps): Promise<string> => {
  const { client_id = '', client_secret = '' } = environment;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const response = await fetch(`${contract.base}/oauth/token`, { method: 'POST', body });
  return (await response.json()).access_token ?? 'TOKEN';
};

const send = async ({ url, ...init }: SampleCall) => {
  const began = performance.now();
  const response = await fetch(url, init);
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  const text = await response.text();
  return {
    status,
    duration: performance.now() - began,
    headers: [...headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: type.startsWith('application/json') && text !== '' ? JSON.parse(text) : text,
  };
};

const AnswerView = ({ status, duration, headers, body }: Awaited<ReturnType<typeof send>>) => (
  <section class="card answer" aria-label="Reply">
    <p role="status">
      <Code status={status} /> <small>{duration.toFixed(0)} ms</small>
    </p>
    {body === '' ? <p class="quiet">No body.</p> : <Json value={body} label="Reply body" />}
    <details>
      <summary>Headers</summary>
      <Json value={headers} label="Reply headers" />
    </details>
  </section>
);

/** The values in the fields of a form: parameters by name, and the body as text. */
interface FilledFields {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

const FORM = 'application/x-www-form-urlencoded';

/** The names of an operation's examples. Examples of the same name belong to the same call. */
const exampleNames = (operation: DocumentedOperation): readonly string[] => {
  const all = [bodyOf(operation), ...operation.parameters].map(({ examples = {} }) => Object.keys(examples));
  return [...new Set(all.flat())];
};

const fillIn = (operation: DocumentedOperation, chosen: string, env: string): FilledFields => {
  const pick = ({ name, required, schema, example, examples }: Parameter): unknown => {
    if (name === 'env' || name === 'environments') return env;
    const given = examples?.[chosen];
    // An optional parameter that is not in the chosen example stays empty: values from other examples might not fit.
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

/** The Authorization header of a call; none if the call needs no credentials or has them in its body. */
const authorize = ({ contract, operation, environment }: OperationProps, sent: string, token: string) => {
  const { client_id, client_secret } = environment;
  if (contract.isControl) return controlAuthorization();
  if (!operation.security) return { Authorization: `Bearer ${token}` };
  const isByForm = sent.includes('client_id=') || !operation.security.some((way) => 'clientBasic' in way);
  return isByForm ? {} : { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
};

/** The call that a filled-in form describes. @param token the access token; calls of the control plane ignore it */
const toCall = (props: OperationProps, { values, body }: FilledFields, token: string): SampleCall => {
  const { contract, operation } = props;
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
    url: `${contract.base}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: { ...authorize(props, sent, token), ...(hasBody && { 'Content-Type': type }) },
    ...(hasBody && { body: sent }),
  };
};
