/** Writes recorded calls as a test for a test runner. The test starts from the scenario and makes the calls again. */
import type { ConsoleHandlers } from '../console/calls/console-document.ts';
import type { ControlSchemas } from '../engine/control/control-document.ts';
import { presentEnvironment } from '../engine/control/handlers/environments.ts';
import { formatDuration } from '../engine/core/clock.ts';
import { contains } from '../engine/core/contains.ts';
import { Refusal } from '../engine/core/errors.ts';
import { wireTime } from '../engine/core/moment.ts';
import { hasMembers } from '../engine/core/object.ts';
import { MASK } from '../engine/core/secrets.ts';
import { getRow } from '../engine/core/table.ts';
import type { Environment } from '../engine/environments/environment.ts';
import { presentFault } from '../engine/environments/faults.ts';
import type { JournalEntry } from '../engine/environments/journal.ts';
import { changedSettings } from '../engine/scenario/export.ts';
import type { State } from '../service/state.ts';

interface RecordedCalls {
  /** In the order in which they were made. */
  readonly calls: readonly JournalEntry[];
  readonly decisions: readonly LinkDecision[];
  readonly faults: readonly Partial<ControlSchemas['Fault']>[];
  readonly environment: ControlSchemas['Environment'];
  /** What the environment needs besides its scenario: settings, and the environment that it copies. */
  readonly options: object;
}

/** What a user decided on the link that a call made. When is not asked: the test decides as soon as it has the link. */
interface LinkDecision {
  /** The number of the call. */
  readonly by: number;
  readonly choice: string;
  readonly auth_request_id?: string;
}

/** @throws Refusal 404 for a call that the journal does not have */
export const copyAsTests: ConsoleHandlers['writeTests'] = ({ body: { sequences } }, context) => {
  const { environment, environments } = context;
  const { journal, origin, service, current } = environment;
  const calls = [...new Set(sequences)]
    .sort((one, other) => one - other)
    .map((sequence) => {
      const entry = journal.find(sequence);
      if (entry) return entry;
      throw new Refusal('NOT_FOUND', `The journal has no call ${sequence}.`, 'Mark calls that it has.');
    });
  const { copiedFrom: from = environment.name } = origin;
  const settings = changedSettings(service, current.settings);
  const body = writeTests({
    ...{ calls, faults: current.faults.map(presentFault), environment: presentEnvironment(environment) },
    decisions: calls.flatMap((entry) => decisionOf(environment, entry) ?? []),
    options: {
      ...(from !== environments.first().name && { from }),
      ...(hasMembers(settings) && { settings }),
    },
  });
  return { body };
};

const decisionOf = (
  { current, events, key }: Environment,
  { sequence: by, response }: JournalEntry,
): LinkDecision | undefined => {
  const token = String(Object(response.body).link ?? '').replace(/^.*\//, '');
  const { authorization_links } = current.data as unknown as State; // the cast is safe: this package has one service
  const link = getRow(authorization_links, token.slice(0, -key.length));
  if (link?.used_at === undefined) return undefined;
  if (link.auth_request_id) return { by, choice: 'approve', auth_request_id: link.auth_request_id + key };
  const denial = { type: 'authorization_link.denied', time: wireTime(link.used_at, current) };
  const event = { ...denial, resource: { connected_account_id: link.account_id } };
  return { by, choice: events.list().some((one) => contains(event, one)) ? 'deny' : 'approve' };
};

/** The same test for each runner. */
export const writeTests = (recorded: RecordedCalls) => {
  const calls = recorded.calls.filter((entry) => whyLeftOut(entry, recorded) === undefined);
  const title = calls.map(({ operation, request, status }) => `${operation ?? request.method} ${status}`);
  const { scenario, start, clock } = recorded.environment;
  const options = { scenario, ...recorded.options, ...(clock.mode === 'frozen' && { clock: start }) };
  const body = writeSteps(calls, recorded)
    .join('\n')
    .replaceAll(/^(?=.)/gm, '  ');
  const text = `
${notesOf(recorded, body).join('\n')}

const test = createTest(${JSON.stringify(options)});

test(${JSON.stringify(title.join(', '))}, async ({ env }) => {
${body}
});
`;
  const names = '{ createTest, expect }';
  return {
    vitest: `import ${names} from 'connected-accounts-mock/vitest';\n${text}`,
    jest: `const ${names} = require('connected-accounts-mock/jest');\n${text}`,
    playwright: `import ${names} from 'connected-accounts-mock/playwright';\n${text}`,
  };
};

/** Why a test cannot make this call again. Undefined if it can. */
const whyLeftOut = (
  { grpc_method, operation, status, fault, request: { body, body_cut } }: JournalEntry,
  { decisions }: RecordedCalls,
): string | undefined => {
  const { auth_request_id: id } = Object(body);
  if (grpc_method !== undefined) return 'it came over gRPC';
  if (status === 0 && fault === undefined) return 'its client left before the answer';
  if (body_cut) return 'the journal keeps only the first 64 KiB of its body';
  const isVerified = operation === 'verifyConnectedAccountUser' && (status === 200 || status === 403);
  const isLost = isVerified && FROM_PAGE.test(id) && !decisions.some((one) => one.auth_request_id === id);
  return isLost ? 'the call that made its link is not marked' : undefined;
};

/** Matches the id of an auth request with the key of its environment, which the mock adds to those that it makes. */
const FROM_PAGE = /^[\w-]{54,}$/;

/** Comments about what the test leaves out, or cannot know. */
const notesOf = (recorded: RecordedCalls, body: string): readonly string[] => [
  ...recorded.calls
    .map((entry) => [entry.sequence, whyLeftOut(entry, recorded)] as const)
    .filter(([, why]) => why !== undefined)
    .map(([sequence, why]) => `// Left out: call ${sequence} of the journal, because ${why}.`),
  ...(body.includes(MASK) ? [`// Replace ${MASK} with test values: the journal keeps no credentials.`] : []),
  '// Pages and calls of the control plane are not in the journal. The test repeats only their faults, moves of the',
  '// clock and decisions on links, which it makes as soon as it has the link.',
];

/** A value that an earlier call of the test makes anew, and the expression that reads it there. */
type Known = readonly [expression: string, value: string];

const writeSteps = (calls: readonly JournalEntry[], recorded: RecordedCalls): readonly string[] => {
  const { decisions, faults, environment } = recorded;
  const move = writeMoves(environment);
  const known: Known[] = [];
  return calls.flatMap((entry) => {
    const { sequence, status, response } = entry;
    const made = status === 201 ? madeIn(response.body, `reply${sequence}`) : [];
    const decision = decisions.find(({ by }) => by === sequence);
    const steps = [
      ...move(entry),
      ...writeFault(entry, faults),
      ...writeCall(entry, known, made.length > 0 || decision !== undefined),
      ...(decision
        ? [`const decision${sequence} = await env.links.${decision.choice}(reply${sequence}.link);`]
        : []),
    ];
    known.push(...made);
    if (decision?.auth_request_id)
      known.push([`decision${sequence}.auth_request_id`, decision.auth_request_id]);
    return steps;
  });
};

/** Matches ids that the mock makes: `ca_100000000000000013`, and `WIKI:100000000000000001` of a custom provider. */
const MADE = /^(?:[a-z]+_|\w+:)\d{18}$/;

/** The ids in a reply. @param path of the value, such as `reply1.user` */
const madeIn = (value: unknown, path: string): readonly Known[] => {
  if (typeof value === 'string') return MADE.test(value) ? [[path, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([name]) => /^\w+$/.test(name))
    .flatMap(([name, part]) => madeIn(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`));
};

/** A frozen clock begins where it began; of a running clock, only its distance to the real time is of interest. */
const writeMoves = ({ clock: { mode }, start = '' }: RecordedCalls['environment']) => {
  const isFrozen = mode === 'frozen';
  let last = isFrozen ? Date.parse(start) : 0;
  return ({ time, real_time }: JournalEntry): readonly string[] => {
    const shown = Date.parse(time) - (isFrozen ? 0 : Date.parse(real_time));
    const by = Math.round((shown - last) / 1_000) * 1_000;
    last = shown;
    if (Math.abs(by) <= 1_000) return []; // two readings of one clock can differ by a second
    if (by > 0) return [`await env.advance('${formatDuration(by)}');`];
    const back = isFrozen ? JSON.stringify(time) : `new Date(Date.now() + ${shown}).toISOString()`;
    return [`await env.setClock({ mode: '${mode}', now: ${back} });`];
  };
};

/** How long a fault of the test waits at most, in milliseconds: test runners give up after some seconds. */
const LONGEST_DELAY = 1_000;

/** The fault of a call, for this call alone: the test may make fewer calls than the fault counted. */
const writeFault = (
  { fault, status, operation = '*' }: JournalEntry,
  faults: RecordedCalls['faults'],
): readonly string[] => {
  if (fault === undefined) return [];
  const found = faults.find(({ id }) => id === fault) ?? {};
  const { abort = true, error_code, body, headers, retry_after, delay_ms } = found;
  const refusal = status >= 400 && { status, error_code, retry_after };
  const isLetThrough = Array.isArray(found.status) && !refusal; // by a 200 in a list of statuses
  const rule = {
    ...(status === 0 ? { abort } : !isLetThrough && { ...refusal, body, headers }),
    ...(delay_ms !== undefined && { delay_ms: Math.min(delay_ms, LONGEST_DELAY) }),
  };
  const text = JSON.stringify({ operation, ...rule, times: 1 });
  return JSON.stringify(rule) === '{}' ? [] : [`await env.faults.add(${text});`];
};

const writeCall = (entry: JournalEntry, known: readonly Known[], isRead: boolean): readonly string[] => {
  const { sequence, status, request } = entry;
  const { method, url } = request;
  const hasBody = request.body !== undefined && method !== 'GET' && method !== 'HEAD'; // fetch refuses bodies of these
  const headers = writeHeaders(entry);
  const members = [
    `method: ${JSON.stringify(method)}`,
    status >= 300 && status < 400 && `redirect: 'manual'`,
    headers && `headers: { ${headers} }`,
    hasBody && `body: ${writeBody(entry, known)}`,
  ].flatMap((member) => (member ? `  ${member},\n` : []));
  const call = `fetch(\`\${env.url}${writeUrl(url, known)}\`, {\n${members.join('')}})`;
  if (status === 0) return [`await expect(${call}).rejects.toThrow();`];
  return [
    `const response${sequence} = await ${call};`,
    `expect(response${sequence}.status).toBe(${status});`,
    ...(isRead ? [`const reply${sequence} = await response${sequence}.json();`] : []),
  ];
};

const inTemplate = (text: string): string => text.replaceAll(/[\\`]|\$\{/g, '\\$&');

const writeUrl = (url: string, known: readonly Known[]): string =>
  known.reduce(
    (text, [expression, value]) =>
      text
        .replaceAll(value, () => `\${${expression}}`)
        .replaceAll(encodeURIComponent(value), () => `\${encodeURIComponent(${expression})}`),
    inTemplate(url),
  );

/** Headers that a repeated call leaves out: clients set them, only browsers send them, or they name an environment. */
const LEFT_OUT =
  /^(?:host|content-length|connection|keep-alive|accept-encoding|transfer-encoding|user-agent|origin|referer|sec-.*|accept-language|cookie|x-mock-environment|baggage|traceparent|tracestate)$/;

/** What a masked header or field of a token request gets instead, unless the mock refused what was sent. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  [`Bearer ${MASK}`]: `\`Bearer \${env.credentials.accessToken}\``,
  [`Basic ${MASK}`]: `\`Basic \${btoa(\`\${env.credentials.clientId}:\${env.credentials.clientSecret}\`)}\``,
  client_id: 'env.credentials.clientId',
  client_secret: 'env.credentials.clientSecret',
};
const isRefused = ({ status, fault }: JournalEntry): boolean => status === 401 && fault === undefined;

/** The headers of a call as members of a literal. A call without a valid token names its environment. */
const writeHeaders = (entry: JournalEntry): string => {
  const { headers } = entry.request;
  const sent = Object.entries(headers)
    .filter(([name, value]) => !LEFT_OUT.test(name) && !(name === 'accept' && value === '*/*'))
    .map(([name, value]) => {
      const own = name === 'authorization' && !isRefused(entry) ? CREDENTIALS[value] : undefined;
      return `${JSON.stringify(name)}: ${own ?? JSON.stringify(value)}`;
    });
  const isNamed = headers.authorization === `Bearer ${MASK}` && !isRefused(entry);
  return [...sent, ...(isNamed ? [] : ['"x-mock-environment": env.name'])].join(', ');
};

/** The body, with what earlier calls made. The form of a token request has the credentials of the test's environment. */
const writeBody = (entry: JournalEntry, known: readonly Known[]): string => {
  const { body } = entry.request;
  if (typeof body === 'string') {
    const write = (all: string, name: string): string =>
      isRefused(entry) ? all : `${name}=\${encodeURIComponent(${CREDENTIALS[name]})}`;
    return `\`${inTemplate(body).replaceAll(/\b(client_id|client_secret)=[^&]*/g, write)}\``;
  }
  const literal = JSON.stringify(body).replaceAll('"__proto__":', '["__proto__"]:'); // as a plain member it would set the prototype
  return `JSON.stringify(${known.reduce((text, [expression, value]) => text.replaceAll(`"${value}"`, () => expression), literal)})`;
};
