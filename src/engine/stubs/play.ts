/** What a stub replies to a call, and the rows that it leaves behind (behaviour X6). */
import { type Call, requireSameWorld } from '../api/call.ts';
import { toTimestamp } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { drawFrom } from '../core/ids.ts';
import { lazily } from '../core/object.ts';
import { getRow, putRow } from '../core/table.ts';
import type { SentReply } from '../environments/faults.ts';
import { leavingOf } from '../http/event-stream.ts';
import { rawQuery } from '../http/spelling.ts';
import { countRows, writeState } from '../scenario/load-scenario.ts';
import { ScenarioError } from '../scenario/source.ts';
import type { EngineState } from '../state.ts';
import { issuedAt, signClaims } from '../tokens/access-token.ts';
import { type Echoed, fill } from './echo.ts';
import { type StubReply, type StubRow, stubName, valuesInPath } from './stub.ts';

/** Gives the stub's next reply, and writes its rows. Either both happen or, if a row is refused, neither. */
export const play = async (call: Call, chosen: StubRow): Promise<void> => {
  const { environment, request, response } = call;
  const { delay_ms } = replyNow(chosen);
  if (delay_ms > 0) await environment.delay(delay_ms, leavingOf(response));
  requireSameWorld(call);
  const { current } = environment;
  const stub = getRow(current.data.stubs, stubName(chosen)) ?? chosen; // other calls may have moved it on meanwhile
  const { echoed, drawn } = openEcho(stub, call);
  const reply = toReply(replyNow(stub), echoed);
  const rows: object | undefined = stub.then && Object(fill(stub.then, echoed));
  if (request.method !== 'HEAD') {
    const moved = moveOn(current.data, stub, drawn());
    const data = rows === undefined ? moved : writeRows(stub, moved, rows, call);
    if (data !== current.data) environment.current = { ...current, data };
    if (rows !== undefined) environment.logChanges([{ type: 'state.changed', resource: countRows(rows) }]);
  }
  call.stubReply = positionOf(stub) + 1;
  call.reply = reply;
};

/** Why what the stub needs is not live; undefined if it is, or if the stub needs nothing (behaviour X6). */
export const refusalOf = (stub: StubRow, call: Call): Refusal | undefined => {
  if (stub.needs === undefined) return undefined;
  const { service, current } = call.environment;
  const name = String(fill(stub.needs, openEcho(stub, call).echoed) ?? '');
  return service.live?.refuse(current.data, name, call.environment.instant());
};

const positionOf = ({ answered, replies }: StubRow): number => Math.min(answered, replies.length - 1);

const replyNow = (stub: StubRow): StubReply => stub.replies[positionOf(stub)] ?? stub.replies[0];

/** What placeholders stand for in this call, and the state of the generator after the ids that were drawn for it. */
const openEcho = (stub: StubRow, call: Call) => {
  const { environment, request } = call;
  const { now, current } = environment;
  const draw = drawFrom(current.data.generator);
  const exp = Math.floor(now / 1000) + current.settings.access_token_ttl / 1000;
  const echoed: Echoed = {
    path: valuesInPath(stub.path, request.path) ?? {},
    query: new URLSearchParams(rawQuery(request)),
    body: call.body,
    now: toTimestamp(now),
    id: lazily((prefix: string) => draw.id(prefix)),
    sign: (claims) => signClaims({ iss: environment.url(), iat: issuedAt(now), exp, ...claims }),
  };
  return { echoed, drawn: draw.state };
};

/** The state after the reply. If nothing has changed, the same state, so that remembered replies stay. */
const moveOn = (data: EngineState, stub: StubRow, generator: EngineState['generator']): EngineState => {
  const answered = Math.min(stub.answered + 1, stub.replies.length);
  const next = { ...data, generator };
  if (stub.replies.length === 1 || answered === stub.answered)
    return generator === data.generator ? data : next;
  return { ...next, stubs: putRow(data.stubs, { ...stub, answered }) };
};

/** @throws Refusal 400 if the rows cannot be written */
const writeRows = (stub: StubRow, state: EngineState, rows: object, { environment }: Call): EngineState => {
  const { service, id, current } = environment;
  const content = { service, id, state, settings: current.settings };
  try {
    return writeState(content, rows, environment.instant(), {}).state;
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const problem = `The stub ${stubName(stub)} cannot write its rows, so nothing was changed: ${error.message}.`;
    const hint = 'Correct "then" of the stub, or send what it echoes.';
    throw new Refusal('FAILED_PRECONDITION', problem, hint, { rule: 'X6' });
  }
};

const toReply = ({ status, ...reply }: StubReply, echoed: Echoed): SentReply => {
  // What a call sent may hold what the value of a header cannot hold.
  const headers = Object.entries(Object(fill(reply.headers, echoed))).map(([name, value]) => [
    name,
    String(value).replace(/[^\t\x20-\x7e\x80-\xff]+/g, encodeURIComponent),
  ]);
  const body = fill(reply.body, echoed);
  const type = headers.find(([name]) => name?.toLowerCase() === 'content-type')?.[1];
  const isText = typeof body === 'string' && type !== undefined && !type.includes('json');
  return { status, headers: Object.fromEntries(headers), text: isText ? body : JSON.stringify(body ?? null) };
};
