/** Writes recorded calls as a test for a test runner. The test starts from the scenario and makes the calls again. */
import type { ConsoleHandlers } from '../console/calls/console-document.ts';
import type { ControlSchemas } from '../engine/control/control-document.ts';
import { presentEnvironment } from '../engine/control/handlers/environments.ts';
import { formatDuration } from '../engine/core/clock.ts';
import { contains } from '../engine/core/contains.ts';
import { requireFound } from '../engine/core/errors.ts';
import { wireTime } from '../engine/core/moment.ts';
import { defined, hasMembers } from '../engine/core/object.ts';
import { LEFT_OUT, MASK } from '../engine/core/secrets.ts';
import { getRow } from '../engine/core/table.ts';
import type { Environment } from '../engine/environments/environment.ts';
import { presentFault } from '../engine/environments/faults.ts';
import type { JournalEntry } from '../engine/environments/journal.ts';
import { changedSettings } from '../engine/scenario/export.ts';
import type { State } from '../service/state.ts';

interface RecordedCalls {
  readonly calls: readonly JournalEntry[];
  readonly decisions: readonly ReturnType<typeof decisionsOn>[number][];
  readonly faults: readonly Partial<ControlSchemas['Fault']>[];
  readonly environment: ControlSchemas['Environment'];
  /** Those that the scenario does not have, if there are any. */
  readonly settings?: object | undefined;
}

/** @throws Refusal 404 for a call that the journal does not have */
export const copyAsTests: ConsoleHandlers['writeTests'] = ({ body: { sequences } }, context) => {
  const { environment, environments } = context;
  const { journal, service, current, name } = environment;
  const find = (sequence: number): JournalEntry =>
    requireFound(journal.find(sequence), `call ${sequence} of the journal`, 'Mark calls that it has.');
  const calls = [...new Set(sequences)].toSorted((one, other) => one - other).map(find);
  const settings = changedSettings(service, current.settings);
  const body = writeTests({
    calls,
    decisions: calls.flatMap((entry) => decisionsOn(environment, entry)),
    faults: current.faults.map(presentFault),
    environment: {
      ...(environment !== environments.first() && { from: name }),
      ...presentEnvironment(environment),
    },
    settings: hasMembers(settings) ? settings : undefined,
  });
  return { body };
};

/** What a user decided on the link that a call made. When is not asked: the test decides as soon as it has the link. */
const decisionsOn = ({ current, events, key }: Environment, { sequence: by, response }: JournalEntry) => {
  const token = String(Object(response.body).link ?? '').replace(/^.*\//, '');
  const { authorization_links } = current.data as unknown as State; // the cast is safe: this package has one service
  const link = getRow(authorization_links, token.slice(0, -key.length));
  if (link?.used_at === undefined) return [];
  const time = wireTime(link.used_at, current);
  const resource = { connected_account_id: link.account_id };
  const denial = { type: 'authorization_link.denied', time, resource };
  const id = link.auth_request_id && link.auth_request_id + key; // only an approval makes one
  const isDenied = !id && events.list().some((one) => contains(denial, one));
  return [{ by, choice: isDenied ? 'deny' : 'approve', auth_request_id: id }];
};

/** The same test for each runner. */
export const writeTests = (recorded: RecordedCalls) => {
  const { settings, environment } = recorded;
  const { scenario, from, start, clock } = environment;
  const options = { scenario, from, settings, clock: clock.mode === 'frozen' ? start : undefined };
  const calls = recorded.calls.filter((entry) => !whyLeftOut(entry, recorded));
  const title = calls.map(({ operation, request, status }) => `${operation ?? request.method} ${status}`);
  const steps = writeSteps(calls, recorded)
    .join('\n')
    .replaceAll(/^(?=.)/gm, '  ');
  const notes = [
    ...recorded.calls.flatMap((entry) => whyLeftOut(entry, recorded) ?? []),
    ...(steps.includes(MASK) ? [`Replace ${MASK} with test values: the journal keeps no credentials.`] : []),
    'Pages and calls of the control plane are not in the journal. The test repeats only their faults, moves of the',
    'clock and decisions on links, which it makes as soon as it has the link.',
  ];
  const text = `
${notes.map((note) => `// ${note}`).join('\n')}

const test = createTest(${JSON.stringify(options)});

test(${JSON.stringify(title.join(', '))}, async ({ env }) => {
${steps}
});
`;
  const importing = (runner: string): string =>
    `import { createTest, expect } from 'connected-accounts-mock/${runner}';\n${text}`;
  const jest = `const { createTest, expect } = require('connected-accounts-mock/jest');\n${text}`;
  return { vitest: importing('vitest'), playwright: importing('playwright'), jest };
};

/** Says why a test cannot make this call again. Undefined if it can. */
const whyLeftOut = (entry: JournalEntry, { decisions }: RecordedCalls): string | undefined => {
  const { sequence, grpc_method, operation, status, fault, request } = entry;
  const { auth_request_id: id } = Object(request.body);
  const isVerified = operation === 'verifyConnectedAccountUser' && (status === 200 || status === 403);
  const isLost = isVerified && FROM_PAGE.test(id) && !decisions.some((one) => one.auth_request_id === id);
  const why =
    (grpc_method !== undefined && 'it came over gRPC') ||
    (status === 0 && fault === undefined && 'its client left before the answer') ||
    (request.body_cut && 'the journal keeps only the first 64 KiB of its body') ||
    (isLost && 'the call that made its link is not marked');
  return why ? `Left out: call ${sequence} of the journal, because ${why}.` : undefined;
};

/** Matches the id of an auth request with the key of its environment, which the mock adds to those that it makes. */
const FROM_PAGE = /^[\w-]{54,}$/;

/** A value that an earlier call makes anew, and the expression that reads it there. */
type Known = readonly [expression: string, value: string];

const writeSteps = (
  calls: readonly JournalEntry[],
  { environment, faults, decisions }: RecordedCalls,
): readonly string[] => {
  const move = writeMoves(environment);
  const known: Known[] = [];
  return calls.flatMap((entry) => {
    const { sequence, status, response } = entry;
    const made = status === 201 ? madeIn(response.body, `reply${sequence}`) : [];
    const decision = decisions.find(({ by }) => by === sequence);
    const steps = [...move(entry), ...writeFault(entry, faults), ...writeCall(entry, known)];
    if (decision || made.length > 0) steps.push(`const reply${sequence} = await response${sequence}.json();`);
    if (decision)
      steps.push(`const decision${sequence} = await env.links.${decision.choice}(reply${sequence}.link);`);
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
  return Object.entries(Object(value))
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
  const found = fault === undefined ? undefined : (faults.find(({ id }) => id === fault) ?? {});
  if (!found) return [];
  const { abort = true, error_code, body, headers, retry_after, delay_ms } = found;
  const refusal = status >= 400 && { status, error_code, retry_after };
  const isLetThrough = Array.isArray(found.status) && !refusal; // by a 200 in a list of statuses
  const rule = defined({
    ...(status === 0 ? { abort } : !isLetThrough && { ...refusal, body, headers }),
    delay_ms: delay_ms && Math.min(delay_ms, LONGEST_DELAY),
  });
  const text = JSON.stringify({ operation, ...rule, times: 1 });
  return hasMembers(rule) ? [`await env.faults.add(${text});`] : [];
};

const writeCall = (entry: JournalEntry, known: readonly Known[]): readonly string[] => {
  const { sequence, status, request } = entry;
  const { method, url, body } = request;
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'; // fetch refuses bodies of these
  const headers = writeHeaders(entry);
  const members = [
    `method: ${JSON.stringify(method)}`,
    status >= 300 && status < 400 && `redirect: 'manual'`,
    headers && `headers: { ${headers} }`,
    hasBody && `body: \`${writeBody(entry, known)}\``,
  ].flatMap((member) => (member ? `  ${member},\n` : []));
  const call = `fetch(\`\${env.url}${writeTemplate(url, known)}\`, {\n${members.join('')}})`;
  if (status === 0) return [`await expect(${call}).rejects.toThrow();`];
  return [
    `const response${sequence} = await ${call};`,
    `expect(response${sequence}.status).toBe(${status});`,
  ];
};

/** A text between backticks, in which expressions read what earlier calls made. */
const writeTemplate = (text: string, known: readonly Known[]): string => {
  const escaped = text
    .replaceAll(/[\\`]|\$\{/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return known.reduce(
    (written, [expression, value]) =>
      written
        .replaceAll(value, () => `\${${expression}}`)
        .replaceAll(encodeURIComponent(value), () => `\${encodeURIComponent(${expression})}`),
    escaped,
  );
};

/** What a masked header or field of a token request gets instead, unless the mock refused what was sent. */
const CREDENTIALS: ReadonlyMap<string, string> = new Map([
  [`Bearer ${MASK}`, `\`Bearer \${env.credentials.accessToken}\``],
  [`Basic ${MASK}`, `\`Basic \${btoa(\`\${env.credentials.clientId}:\${env.credentials.clientSecret}\`)}\``],
  ['client_id=', 'env.credentials.clientId'],
  ['client_secret=', 'env.credentials.clientSecret'],
]);
const isRefused = ({ status, fault }: JournalEntry): boolean => status === 401 && fault === undefined;

/** The headers of a call as members of a literal. A call without a valid token names its environment. */
const writeHeaders = (entry: JournalEntry): string => {
  const { headers } = entry.request;
  const credentials = isRefused(entry) ? undefined : CREDENTIALS;
  const sent = Object.entries(headers)
    .filter(([name, value]) => !LEFT_OUT.test(name) && !(name === 'accept' && value === '*/*'))
    .map(([name, value]) => `${JSON.stringify(name)}: ${credentials?.get(value) ?? JSON.stringify(value)}`);
  const isNamed = headers.authorization === `Bearer ${MASK}` && !isRefused(entry);
  return [...sent, ...(isNamed ? [] : ['"x-mock-environment": env.name'])].join(', ');
};

/** The text of the body. The form of a token request has the credentials of the test's environment. */
const writeBody = (entry: JournalEntry, known: readonly Known[]): string => {
  const { body } = entry.request;
  if (typeof body !== 'string') return writeTemplate(JSON.stringify(body), known);
  const write = (all: string, name: string): string =>
    isRefused(entry) ? all : `${name}\${encodeURIComponent(${CREDENTIALS.get(name)})}`;
  return writeTemplate(body, known).replaceAll(/\b(client_id=|client_secret=)[^&]*/g, write);
};
