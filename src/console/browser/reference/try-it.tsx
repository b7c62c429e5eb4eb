/** A form for one operation, with example values; the code of the call; and the reply. */
import { useState } from 'preact/hooks';
import { call, type Schemas } from '../live/api.ts';
import { useLoaded } from '../live/loaded.tsx';
import { Field } from '../parts/field.tsx';
import { Json } from '../parts/json.tsx';
import { act } from '../parts/notices.tsx';
import { type GrpcCall, type SampleCall, Samples, toGrpcurl, toSamples } from '../parts/samples.tsx';
import { toValue } from '../parts/schema-form.tsx';
import { exampleNames, type FilledFields, fillIn, isFormBody, toCall } from './call.ts';
import type { ContractDocument, DocumentedOperation } from './document.ts';
import { merge } from './schema.tsx';

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
  const [fields, setFields] = useState<FilledFields>(() => fillIn(operation, chosen, environment.name));
  const [answer, setAnswer] = useState<TriedAnswer>();
  const { access_token } = environment;
  const grpc = useLoaded(JSON.stringify(fields), () => readGrpc(contract, operation, fields));
  const prepare = (token: string): SampleCall => toCall(contract, operation, fields, environment, token);
  const execute = async (): Promise<void> =>
    setAnswer(await send(prepare(access_token ?? (await askToken(contract, environment)))));
  const shown = prepare(access_token ?? 'TOKEN');
  return (
    <section class="try" aria-label="Try it">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          const isMeant =
            operation.method !== 'DELETE' || confirm(`Send ${prepare('').method} ${prepare('').url}?`);
          if (isMeant) act(execute);
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
            {isFormBody(operation) ? 'Body (sent as form fields)' : 'Body'}
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
      <Samples
        samples={{
          ...toSamples(shown),
          ...(grpc.value && !grpc.problem && { gRPC: toGrpcurl(shown, grpc.value) }),
        }}
      />
    </section>
  );
};

/** The same call over gRPC. Undefined if the server does not serve gRPC, or if gRPC cannot express the fields. */
const readGrpc = async (
  { isControl }: ContractDocument,
  operation: DocumentedOperation,
  { values, body }: FilledFields,
) => {
  if (isControl) return undefined;
  const parameters = operation.parameters
    .filter(({ name }) => values[name])
    .map(({ name, schema }) => [name, toValue(name, values[name] ?? '', merge(schema))]);
  const { method, message } = await call<Partial<GrpcCall>>('POST', 'grpc', {
    operation: operation.operationId,
    parameters: Object.fromEntries(parameters),
    ...(body !== '' && { body: JSON.parse(body) }),
  });
  return method !== undefined && message && { method, message };
};

/** Gets a token for an environment without a fixed access token. */
const askToken = async (
  { base }: ContractDocument,
  { client_id = '', client_secret = '' }: Schemas['Environment'],
) => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const response = await fetch(`${base}/oauth/token`, { method: 'POST', body });
  const { access_token = 'TOKEN' }: { readonly access_token?: string } = await response.json();
  return access_token;
};

/** After this number of milliseconds, the form shows the part of an endless stream that has arrived. */
const STREAMED = 1_000;

const send = async ({ url, ...init }: SampleCall): Promise<TriedAnswer> => {
  const began = performance.now();
  const response = await fetch(url, init);
  const text = await readText(response);
  return {
    status: response.status,
    duration: performance.now() - began,
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: /^application\/json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
  };
};

const readText = async (response: Response): Promise<string> => {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => reader?.cancel(), STREAMED);
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  clearTimeout(timer);
  return text;
};

const AnswerView = ({ answer: { status, duration, headers, body } }: { readonly answer: TriedAnswer }) => (
  <section class="card answer" aria-label="Reply">
    <p role="status">
      <span class={`code c${Math.floor(status / 100)}`}>{status}</span>{' '}
      <small>{duration.toFixed(0)} ms</small>
    </p>
    {body === '' ? <p class="quiet">No body.</p> : <Json value={body} label="Reply body" />}
    <details>
      <summary>Headers</summary>
      <Json value={headers} label="Reply headers" />
    </details>
  </section>
);
