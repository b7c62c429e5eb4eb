/** Writes recorded calls as a test for a test runner. The test starts from the scenario and makes the calls again. */
import type { components } from '../../server/control/generated.ts';

type Schemas = components['schemas'];
type Entry = Schemas['Request'];
type Fault = Schemas['Fault'];
export type Runner = 'vitest' | 'jest' | 'playwright';

export interface Recorded {
  /** In the order in which they were made. */
  readonly calls: readonly Entry[];
  readonly environment: Schemas['Environment'];
  readonly faults: readonly Fault[];
}

/** Headers that a copied call leaves out: clients set them, only browsers send them, or they name an environment. */
const LEFT_OUT =
  /^(?:host|content-length|connection|keep-alive|accept-encoding|transfer-encoding|user-agent|origin|referer|sec-.*|accept-language|cookie|x-mock-environment|baggage|traceparent|tracestate)$/;

const CREDENTIALS = { client_id: 'clientId', client_secret: 'clientSecret' } as const;

export const toTest = (runner: Runner, recorded: Recorded): string => {
  const { environment, faults } = recorded;
  const calls = recorded.calls.filter(({ grpc_method }) => grpc_method === undefined);
  const from = `'connected-accounts-mock/${runner}'`;
  const names = '{ createTest, expect }';
  const head = runner === 'jest' ? `const ${names} = require(${from});` : `import ${names} from ${from};`;
  const { clock, moves } = readMoves(calls, environment);
  const title = calls.map(({ operation, request, status }) => `${operation ?? request.method} ${status}`);
  const options = { scenario: environment.scenario, ...(clock !== undefined && { clock }) };
  const steps = calls.flatMap((entry, place) => [
    ...(moves[place] ? [`await env.advance('${toLength(moves[place])}');`] : []),
    ...writeFault(entry, faults),
    ...writeCall(entry, environment),
  ]);
  return `${head}

const test = createTest(${JSON.stringify(options)});

test(${JSON.stringify(title.join(', '))}, async ({ env }) => {
${[...steps, ...writeReceived(calls)].map((step) => `  ${step}\n`).join('')}});
`;
};

/**
 * How many seconds the clock was moved before each call. A clock that showed the past at the first call was not moved
 * there, since moves go forward: the test freezes it at that time.
 */
const readMoves = (calls: readonly Entry[], { clock: { mode } }: Schemas['Environment']) => {
  const ahead = calls.map(({ time, real_time }) =>
    Math.round((Date.parse(time) - Date.parse(real_time)) / 1_000),
  );
  const shown = calls.map(({ time }) => Math.round(Date.parse(time) / 1_000));
  const [first = 0] = ahead;
  const passing = mode === 'frozen' ? shown : ahead;
  const moves = ahead.map((_, place) => {
    const move = place === 0 ? first : (passing[place] ?? 0) - (passing[place - 1] ?? 0);
    return move > 1 ? move : 0; // two readings of one clock can differ by a second
  });
  return { moves, clock: first < -1 ? calls[0]?.time : undefined };
};

const toLength = (seconds: number): string => {
  const [unit, size] = (
    [
      ['d', 86_400],
      ['h', 3_600],
      ['m', 60],
    ] as const
  ).find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
};

/** The fault of a call, for this call alone: the test may make fewer calls than the fault counted. */
const writeFault = ({ fault: id, status, operation }: Entry, faults: readonly Fault[]): readonly string[] => {
  if (id === undefined) return [];
  const found = faults.find((fault) => fault.id === id);
  const failed = status === 0 ? { abort: true } : status >= 400 ? { status } : {};
  const {
    id: _,
    calls,
    applied,
    used_up,
    match,
    after,
    probability,
    status: __,
    ...rule
  } = found ??
  ({
    ...failed,
    operation,
  } as Partial<Fault>);
  const text = JSON.stringify({
    ...rule,
    operation: operation ?? '*',
    ...(rule.abort ? {} : failed),
    times: 1,
  });
  return [`await env.faults.add(${text});`];
};

const writeCall = (entry: Entry, environment: Schemas['Environment']): readonly string[] => {
  const { status, request } = entry;
  const { method, headers, body_cut } = request;
  const hasBody = request.body !== undefined && method !== 'GET' && method !== 'HEAD'; // fetch refuses bodies of these
  const sent = Object.entries(headers)
    .filter(([name, value]) => !LEFT_OUT.test(name) && !(name === 'accept' && value === '*/*'))
    .map(([name, value]) => `${JSON.stringify(name)}: ${writeHeader(name, String(value), status)}`);
  // Only a valid token tells the environment of a call.
  if (headers.authorization !== 'Bearer ***' || status === 401) sent.push('"x-mock-environment": env.name');
  const call = [
    `fetch(\`\${env.url}${inTemplate(request.url)}\`, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(status >= 300 && status < 400 ? [`  redirect: 'manual',`] : []),
    ...(sent.length > 0 ? [`  headers: { ${sent.join(', ')} },`] : []),
    ...(hasBody ? [`  body: ${writeBody(request.body, environment)},`] : []),
  ];
  return [
    ...(body_cut ? ['// The end of this body is missing: the journal keeps only the first 64 KiB.'] : []),
    ...(status === 0
      ? [`await expect(${call[0]}`, ...call.slice(1), '})).rejects.toThrow();']
      : [`expect((await ${call[0]}`, ...call.slice(1), `})).status).toBe(${status});`]),
  ];
};

/** The text as a part of a template literal. */
const inTemplate = (text: string): string => text.replaceAll(/[\\`]|\$\{/g, '\\$&');

const writeHeader = (name: string, value: string, status: number): string => {
  if (name !== 'authorization') return JSON.stringify(value);
  if (value === 'Bearer ***' && status !== 401) return `\`Bearer \${env.credentials.accessToken}\``;
  if (value === 'Basic ***' && status !== 401)
    return `\`Basic \${btoa(\`\${env.credentials.clientId}:\${env.credentials.clientSecret}\`)}\``;
  return JSON.stringify(value);
};

/** The body, with the credentials of the test's environment in place of masked ones and of the recorded client's id. */
const writeBody = (body: unknown, { client_id }: Schemas['Environment']): string => {
  const isOwn = (value: string): boolean => value === '***' || value === client_id;
  if (typeof body === 'string')
    return `\`${inTemplate(body).replaceAll(
      /\b(client_id|client_secret)=([^&]*)/g,
      (all, name: keyof typeof CREDENTIALS, value: string) =>
        isOwn(value) ? `${name}=\${encodeURIComponent(env.credentials.${CREDENTIALS[name]})}` : all,
    )}\``;
  const literal = JSON.stringify(body)
    .replaceAll('"__proto__":', '["__proto__"]:') // as a plain member it would set the prototype
    .replaceAll(
      /"(client_id|client_secret)":"([^"\\]*)"/g,
      (all, name: keyof typeof CREDENTIALS, value: string) =>
        isOwn(value) ? `"${name}":env.credentials.${CREDENTIALS[name]}` : all,
    );
  return `JSON.stringify(${literal})`;
};

const writeReceived = (calls: readonly Entry[]): readonly string[] => {
  const statuses = new Map<string, number[]>();
  for (const { operation, status } of calls)
    if (operation !== undefined) statuses.set(operation, [...(statuses.get(operation) ?? []), status]);
  return [...statuses].map(([operation, [first, ...others]]) => {
    const status = others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
    return `await expect(env).toHaveReceived(${JSON.stringify(operation)}, { status: ${status} });`;
  });
};
