/** Writes recorded calls as a test for a test runner. The test starts from the scenario and makes the calls again. */
import type { CopyAsTests } from '../console/calls/index.ts';
import { formatDuration } from '../engine/core/clock.ts';
import { MASK } from '../engine/core/secrets.ts';
import { type LinkDecision, type RecordedCalls, readCalls } from './copied-calls.ts';
import { type Known, madeBy, writeBody, writeHeaders, writeUrl } from './copied-values.ts';

type Entry = RecordedCalls['calls'][number];
type Fault = RecordedCalls['faults'][number];
type Runner = 'vitest' | 'jest' | 'playwright';

export const copyAsTests: CopyAsTests = (...from) => writeTests(readCalls(...from));

/** The same test for each runner. */
export const writeTests = (recorded: RecordedCalls): Readonly<Record<Runner, string>> => ({
  vitest: toTest('vitest', recorded),
  jest: toTest('jest', recorded),
  playwright: toTest('playwright', recorded),
});

const toTest = (runner: Runner, recorded: RecordedCalls): string => {
  const calls = recorded.calls.filter((entry) => whyLeftOut(entry, recorded) === undefined);
  const from = `'connected-accounts-mock/${runner}'`;
  const names = '{ createTest, expect }';
  const head = runner === 'jest' ? `const ${names} = require(${from});` : `import ${names} from ${from};`;
  const title = calls.map(({ operation, request, status }) => `${operation ?? request.method} ${status}`);
  const { scenario, start, clock } = recorded.environment;
  const options = { scenario, ...recorded.options, ...(clock.mode === 'frozen' && { clock: start }) };
  const body = writeSteps(calls, recorded)
    .join('\n')
    .replaceAll(/^(?=.)/gm, '  ');
  return `${head}

${writeNotes(recorded, body)}
const test = createTest(${JSON.stringify(options)});

test(${JSON.stringify(title.join(', '))}, async ({ env }) => {
${body}
});
`;
};

/** Why a test cannot make this call again. Undefined if it can. */
const whyLeftOut = (
  { grpc_method, operation, status, fault, request: { body, body_cut } }: Entry,
  { decisions }: RecordedCalls,
): string | undefined => {
  const { auth_request_id: id } = Object(body);
  if (grpc_method !== undefined) return 'it came over gRPC';
  if (status === 0 && fault === undefined) return 'its client left before the answer';
  if (body_cut) return 'the journal keeps only the first 64 KiB of its body';
  const needsDecision = operation === 'verifyConnectedAccountUser' && (status === 200 || status === 403);
  if (!needsDecision || !FROM_PAGE.test(id) || decisions.some((one) => one.auth_request_id === id))
    return undefined;
  return 'the call that made its link is not marked';
};

/** Matches the id of an auth request with the key of its environment, which the mock adds to those that it makes. */
const FROM_PAGE = /^[\w-]{54,}$/;

/** Comments about what the test leaves out, or cannot know. */
const writeNotes = (recorded: RecordedCalls, body: string): string => {
  const notes = recorded.calls.flatMap((entry) => {
    const why = whyLeftOut(entry, recorded);
    return why === undefined ? [] : [`Left out: call ${entry.sequence} of the journal, because ${why}.`];
  });
  if (body.includes(MASK)) notes.push(`Replace ${MASK} with test values: the journal keeps no credentials.`);
  notes.push(
    'Pages and calls of the control plane are not in the journal. The test repeats only their faults, moves of the',
    'clock and decisions on links.',
  );
  return notes.map((note) => `// ${note}\n`).join('');
};

const writeSteps = (calls: readonly Entry[], recorded: RecordedCalls): readonly string[] => {
  const { decisions, faults, environment } = recorded;
  const move = writeMoves(environment);
  const known: Known[] = [];
  const decide = ({ by, choice, auth_request_id: value }: LinkDecision): string => {
    const name = `decision${by}`;
    if (value !== undefined) known.push({ value, expression: `${name}.auth_request_id` });
    return `const ${name} = await env.links.${choice}(reply${by}.link);`;
  };
  const steps = calls.flatMap((entry) => {
    const { sequence } = entry;
    const decided = decisions.filter(({ before }) => before === sequence).map(decide);
    const made = madeBy(entry, `reply${sequence}`);
    const isRead = made.length > 0 || decisions.some(({ by }) => by === sequence);
    const step = [
      ...decided,
      ...move(entry),
      ...writeFault(entry, faults),
      ...writeCall(entry, known, isRead),
    ];
    known.push(...made);
    return step;
  });
  return [...steps, ...decisions.filter(({ before }) => before === undefined).map(decide)];
};

/** A frozen clock begins where it began; of a running clock, only its distance to the real time is of interest. */
const writeMoves = ({ clock: { mode }, start = '' }: RecordedCalls['environment']) => {
  const isFrozen = mode === 'frozen';
  let last = isFrozen ? Date.parse(start) : 0;
  return ({ time, real_time }: Entry): readonly string[] => {
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
const writeFault = (entry: Entry, faults: readonly Fault[]): readonly string[] => {
  const { fault, status, operation = '*' } = entry;
  if (fault === undefined) return [];
  const found: Partial<Fault> = faults.find(({ id }) => id === fault) ?? {};
  const { error_code, body, headers, retry_after, delay_ms } = found;
  const answer = status >= 400 ? { status, error_code, body, headers, retry_after } : { body, headers };
  const rule = {
    // In a list of statuses, 200 lets its call through.
    ...(status === 0
      ? { abort: found.abort ?? true }
      : !(Array.isArray(found.status) && status < 400) && answer),
    ...(delay_ms !== undefined && { delay_ms: Math.min(delay_ms, LONGEST_DELAY) }),
  };
  const text = JSON.stringify({ operation, ...rule, times: 1 });
  return Object.keys(JSON.parse(text)).length > 2 ? [`await env.faults.add(${text});`] : [];
};

const writeCall = (entry: Entry, known: readonly Known[], isRead: boolean): readonly string[] => {
  const { sequence, status, request } = entry;
  const { method, url } = request;
  const hasBody = request.body !== undefined && method !== 'GET' && method !== 'HEAD'; // fetch refuses bodies of these
  const headers = writeHeaders(entry);
  const call = [
    `fetch(\`\${env.url}${writeUrl(url, known)}\`, {`,
    `  method: ${JSON.stringify(method)},`,
    ...(status >= 300 && status < 400 ? [`  redirect: 'manual',`] : []),
    ...(headers === '' ? [] : [`  headers: { ${headers} },`]),
    ...(hasBody ? [`  body: ${writeBody(entry, known)},`] : []),
    '})',
  ].join('\n');
  if (status === 0) return [`await expect(${call}).rejects.toThrow();`];
  return [
    `const response${sequence} = await ${call};`,
    `expect(response${sequence}.status).toBe(${status});`,
    ...(isRead ? [`const reply${sequence} = await response${sequence}.json();`] : []),
  ];
};
