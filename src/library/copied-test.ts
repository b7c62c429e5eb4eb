/** Writes recorded calls as a test for a test runner. The test starts from the scenario and makes the calls again. */
import type { RecordedCalls } from '../console/calls/tests.ts';
import { isUsedIn, type Known, MASK, madeBy, writeBody, writeHeaders, writeUrl } from './copied-values.ts';

type Entry = RecordedCalls['calls'][number];
type LinkDecision = RecordedCalls['decisions'][number];
type Fault = RecordedCalls['faults'][number];
type Runner = 'vitest' | 'jest' | 'playwright';

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
  const { options, moves } = readClock(calls, recorded);
  const body = [...writeSteps(calls, moves, recorded), ...writeReceived(calls)]
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
  if (
    !needsDecision ||
    !FROM_PAGE.test(id) ||
    decisions.some(({ auth_request_id }) => auth_request_id === id)
  )
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

/**
 * The options of the environment, and how many seconds the clock was moved before each call. A frozen clock begins where
 * it began; of a running clock, only its distance to the real time is of interest.
 */
const readClock = (calls: readonly Entry[], { environment, options }: RecordedCalls) => {
  const { scenario, start = '', clock } = environment;
  const isFrozen = clock.mode === 'frozen';
  const shown = calls.map(({ time, real_time }) => Date.parse(time) - (isFrozen ? 0 : Date.parse(real_time)));
  const begun = isFrozen ? Date.parse(start) : 0;
  const moves = shown.map((at, place) => Math.round((at - (shown[place - 1] ?? begun)) / 1_000));
  return {
    options: { scenario, ...options, ...(isFrozen && { clock: start }) },
    moves: moves.map((move) => (Math.abs(move) > 1 ? move : 0)), // two readings of one clock can differ by a second
  };
};

const UNITS = { d: 86_400, h: 3_600, m: 60, s: 1 };

const writeMove = (seconds: number): readonly string[] => {
  if (seconds === 0) return [];
  const [unit, size] = Object.entries(UNITS).find(([, each]) => seconds % each === 0) ?? ['s', 1];
  if (seconds > 0) return [`await env.advance('${seconds / size}${unit}');`];
  const back = `new Date(Date.parse(now) - ${-seconds * 1_000}).toISOString()`;
  return [`await env.clock().then(({ mode, now }) => env.setClock({ mode, now: ${back} }));`];
};

/** The call that made the link of a decision, and the call before which the decision was made, by their places. */
const placeDecision = (decision: LinkDecision, calls: readonly Entry[]) => {
  const by = calls.findIndex(({ response }) =>
    String(Object(response.body).link).endsWith(`/${decision.token}`),
  );
  const later = calls.findIndex(({ changes }, place) => place > by && changes >= decision.change);
  const place = later < 0 ? calls.length : later;
  const at = Date.parse(decision.time);
  const [before, after] = [calls[place - 1], calls[place]].map((entry) =>
    Date.parse(entry?.time ?? decision.time),
  );
  return { ...decision, by, place, isBeforeMove: at - Number(before) <= Number(after) - at };
};

const writeSteps = (
  calls: readonly Entry[],
  moves: readonly number[],
  { decisions, faults }: RecordedCalls,
) => {
  const placed = decisions.map((decision) => placeDecision(decision, calls)).filter(({ by }) => by >= 0);
  const known: Known[] = [];
  const isNeeded = ({ value }: Known, place: number): boolean =>
    calls.some((entry, later) => later > place && isUsedIn(entry, value));
  const writeDecision = ({ by, choice, auth_request_id: value }: (typeof placed)[number]): string => {
    const name = `decision${by + 1}`;
    if (value !== undefined) known.push({ value, expression: `${name}.auth_request_id` });
    return `const ${name} = await env.links.${choice}(reply${by + 1}.link);`;
  };
  return [...calls, undefined].flatMap((entry, place) => {
    const due = placed.filter((decision) => decision.place === place);
    const early = due.filter(({ isBeforeMove }) => isBeforeMove);
    const late = due.filter(({ isBeforeMove }) => !isBeforeMove);
    const before = [...early.map(writeDecision), ...writeMove(moves[place] ?? 0), ...late.map(writeDecision)];
    if (!entry) return before;
    const made = madeBy(entry, `reply${place + 1}`).filter((one) => isNeeded(one, place));
    const isRead = made.length > 0 || placed.some(({ by }) => by === place);
    const call = [...writeFault(entry, faults), ...writeCall(entry, place + 1, known, isRead)];
    known.push(...made);
    return [...before, ...call];
  });
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

const writeCall = (
  entry: Entry,
  number: number,
  known: readonly Known[],
  isRead: boolean,
): readonly string[] => {
  const { status, request } = entry;
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
    `const response${number} = await ${call};`,
    `expect(response${number}.status).toBe(${status});`,
    ...(isRead ? [`const reply${number} = await response${number}.json();`] : []),
  ];
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
