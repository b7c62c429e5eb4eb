/** A form for one operation, with example values; the code of the call; and the reply. */
import { useState } from 'preact/hooks';
import { call, type Schemas } from '../live/api.ts';
import { useLoaded } from '../live/loaded.tsx';
import { Field, toValue } from '../parts/field.tsx';
import { Json } from '../parts/json.tsx';
import { act } from '../parts/notices.tsx';
import { type GrpcCall, type SampleCall, Samples, toGrpcurl, toSamples } from '../parts/samples.tsx';
import { Code } from '../views/call-table.tsx';
import { exampleNames, type FilledFields, FORM, fillIn, toCall } from './call.ts';
import { bodyOf, type ContractDocument, type DocumentedOperation, merge } from './document.ts';

interface TriedAnswer {
  readonly status: number;
  readonly duration: number;
  readonly headers: string;
  readonly body: unknown;
}

/** An operation and the environment to call. */
export interface OperationProps {
  readonly contract: ContractDocument;
  readonly operation: DocumentedOperation;
  readonly environment: Schemas['Environment'];
}

export const TryIt = ({ contract, operation, environment }: OperationProps) => {
  const names = exampleNames(operation);
  const [chosen, choose] = useState(names[0] ?? '');
  const [fields, setFields] = useState(() => fillIn(operation, chosen, environment.name));
  const [answer, setAnswer] = useState<TriedAnswer>();
  const { value: grpc, problem } = useLoaded(JSON.stringify(fields), () =>
    readGrpc(contract, operation, fields),
  );
  const prepare = (token: string): SampleCall => toCall(contract, operation, fields, environment, token);
  const shown = prepare(environment.access_token ?? 'TOKEN');
  const execute = async (): Promise<void> =>
    setAnswer(await send(environment.access_token ? shown : prepare(await askToken(contract, environment))));
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
      {answer && <AnswerView answer={answer} />}
      <Samples samples={{ ...toSamples(shown), ...(grpc && !problem && { gRPC: toGrpcurl(shown, grpc) }) }} />
    </section>
  );
};

/** The same call over gRPC. Undefined if the server does not serve gRPC, or if gRPC cannot express the fields. */
const readGrpc = async (
  { isControl }: ContractDocument,
  { operationId: operation, parameters }: DocumentedOperation,
  { values, body }: FilledFields,
): Promise<GrpcCall | undefined> => {
  if (isControl) return undefined;
  const given = parameters
    .filter(({ name }) => values[name])
    .map(({ name, schema }) => [name, toValue(name, values[name] ?? '', merge(schema))]);
  const { method, message } = await call<Partial<GrpcCall>>('POST', 'grpc', {
    operation,
    parameters: Object.fromEntries(given),
    ...(body !== '' && { body: JSON.parse(body) }),
  });
  return method !== undefined && message ? { method, message } : undefined;
};

/** Gets a token for an environment without a fixed access token. */
const askToken = async (
  { base }: ContractDocument,
  { client_id = '', client_secret = '' }: Schemas['Environment'],
): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const response = await fetch(`${base}/oauth/token`, { method: 'POST', body });
  return (await response.json()).access_token ?? 'TOKEN';
};

const send = async ({ url, ...init }: SampleCall): Promise<TriedAnswer> => {
  const began = performance.now();
  const response = await fetch(url, init);
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  const text = await (type.startsWith('text/event-stream') ? readStream(response) : response.text());
  return {
    status,
    duration: performance.now() - began,
    headers: [...headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: type.startsWith('application/json') && text !== '' ? JSON.parse(text) : text,
  };
};

/** After this number of milliseconds, the form shows the part of an endless stream that has arrived. */
const STREAMED = 1_000;

const readStream = async ({ body }: Response): Promise<string> => {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  setTimeout(() => reader?.cancel(), STREAMED);
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  return text;
};

const AnswerView = ({ answer: { status, duration, headers, body } }: { readonly answer: TriedAnswer }) => (
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
