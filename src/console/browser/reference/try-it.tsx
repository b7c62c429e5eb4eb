/** For one operation: a form with example values, sample code that makes the call, and the reply. */
import { useState } from 'preact/hooks';
import { controlAuthorization, isObject, type Row, textOf } from '../live/api.ts';
import type { EnvironmentDetails } from '../live/environment.tsx';
import { MessageView, type SampleCall, Samples, toCurl } from '../parts/code.tsx';
import { Choice } from '../parts/field.tsx';
import { SchemaForm } from '../parts/forms.tsx';
import { Code } from '../views/table.tsx';
import {
  bodyOf,
  type ContractDocument,
  type DocumentedOperation,
  type Parameter,
  type Schema,
} from './document.ts';

export interface OperationProps {
  readonly contract: ContractDocument;
  readonly operation: DocumentedOperation;
  readonly environment: EnvironmentDetails;
}

export const TryIt = (props: OperationProps) => {
  const { operation, environment } = props;
  const names = exampleNames(operation);
  const [chosen, choose] = useState(names[0] ?? '');
  const [values, setValues] = useState(() => fillIn(operation, chosen, environment.name));
  const [answer, setAnswer] = useState<Awaited<ReturnType<typeof send>>>();
  const shown = toCall(props, values, environment.access_token ?? 'TOKEN');
  const execute = async () => {
    if (shown.method === 'DELETE' && !confirm(`Send DELETE ${shown.url}?`)) return answer;
    return send(environment.access_token ? shown : toCall(props, values, await askToken(props)));
  };
  return (
    <section class="try" aria-label="Try it">
      <div class="card">
        {names.length > 1 && (
          <Choice
            label="Example"
            value={chosen}
            options={names.map((name) => [name, name])}
            choose={(name) => {
              choose(name);
              setValues(fillIn(operation, name, environment.name));
            }}
          />
        )}
        <SchemaForm
          key={chosen}
          read={async () => schemaOf(operation)}
          row={values}
          first={Object.keys(values)}
          action="Execute"
          onEdit={(change) => setValues((last) => ({ ...last, ...change }))}
          onSend={execute}
          onSent={setAnswer}
        />
      </div>
      {answer && <AnswerView {...answer} />}
      <Samples samples={{ curl: toCurl(shown) }} />
    </section>
  );
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
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  const body = type.startsWith('application/json') && text !== '' ? JSON.parse(text) : text || undefined;
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, duration: performance.now() - began, headers, body };
};

const AnswerView = ({ status, duration, ...message }: Awaited<ReturnType<typeof send>>) => (
  <section class="card answer" aria-label="Reply">
    <p role="status">
      <Code status={status} /> <small>{duration.toFixed(0)} ms</small>
    </p>
    <MessageView title="Reply" message={message} />
  </section>
);

const FORM = 'application/x-www-form-urlencoded';

/** The names of an operation's examples. Examples of the same name belong to the same call. */
const exampleNames = (operation: DocumentedOperation): readonly string[] => {
  const all = [bodyOf(operation), ...operation.parameters].map(({ examples = {} }) => Object.keys(examples));
  return [...new Set(all.flat())];
};

/** The schema of an operation's form, with its parameters and its body. The texts beside the form describe them. */
const schemaOf = (operation: DocumentedOperation): Schema => {
  const { type } = bodyOf(operation);
  const parameters = operation.parameters.map(({ name, schema: { description, ...schema }, example }) => [
    name,
    { ...schema, example },
  ]);
  const description = type === FORM ? 'Sent as form fields.' : undefined;
  const body = type && { type: 'object', additionalProperties: true, description };
  return {
    properties: { ...Object.fromEntries(parameters), ...(body && { body }) },
    required: operation.parameters.filter(({ required }) => required).map(({ name }) => name),
  };
};

/** The values of a form: parameters by name, and `body`. */
const fillIn = (operation: DocumentedOperation, chosen: string, env: string): Row => {
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

/** The Authorization header of a call; none if the call needs no credentials or has them in its body. */
const authorize = ({ contract, operation, environment }: OperationProps, sent: string, token: string) => {
  const { client_id, client_secret } = environment;
  if (contract.isControl) return controlAuthorization();
  if (!operation.security) return { Authorization: `Bearer ${token}` };
  const isByForm = sent.includes('client_id=') || !operation.security.some((way) => 'clientBasic' in way);
  return isByForm ? {} : { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
};

/** The call that a filled-in form describes. @param token the access token; calls of the control plane ignore it */
const toCall = (props: OperationProps, values: Row, token: string): SampleCall => {
  const { contract, operation } = props;
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
  const sent = !hasBody
    ? ''
    : type === FORM
      ? String(new URLSearchParams(Object.entries(body).map(([name, value]) => [name, textOf(value)])))
      : JSON.stringify(body, undefined, 2);
  return {
    method,
    url: `${contract.base}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: { ...authorize(props, sent, token), ...(hasBody && { 'Content-Type': type }) },
    ...(hasBody && { body: sent }),
  };
};
