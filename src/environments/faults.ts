/** Failures that an environment is asked to show: which calls they are for, and how often each took effect. */
import { type ErrorCode, Refusal } from '../core/errors.ts';
import { type Draw, drawFrom, type GeneratorState } from '../core/ids.ts';
import type { OperationId } from '../openapi/types.ts';
import { type CallMatch, type MatchedCall, matchesCall } from './call-match.ts';
import { answerOf, type Delay, drawDelay, type FaultEffect } from './fault-effect.ts';

/** Which calls, and what happens to them. A rule with a status, an error code, a body or `abort: true` runs no operation. */
export interface FaultRule {
  readonly operation: OperationId | '*';
  /** The preset that it was made from. */
  readonly preset?: keyof typeof PRESETS;
  /** A list is answered in sequence; its 200s let the call through. */
  readonly status?: number | number[];
  /** Default: the usual one of the status. */
  readonly error_code?: ErrorCode;
  /** In place of the documented error; without a status it is answered with 200. */
  readonly body?: string | { [name: string]: unknown };
  readonly headers?: Record<string, string>;
  /** Seconds. */
  readonly retry_after?: number;
  /** Milliseconds of real time before the answer. */
  readonly delay_ms?: Delay;
  /** How fast the answer's body is sent. */
  readonly bytes_per_second?: number;
  /** The connection breaks off without an answer, or in the middle of the answer's body. */
  readonly abort?: boolean | 'body';
  readonly match?: FaultMatch;
  /** So many matching calls are let through first. */
  readonly after?: number;
  /** So many times at most. Default: without end, or each status of a list once. */
  readonly times?: number;
  /** From 0 to 1, drawn for each call. */
  readonly probability?: number;
}

export interface Fault extends FaultRule {
  readonly id: string;
  /** Matching calls so far. */
  readonly calls: number;
  /** How often it took effect; the 200s of a sequence are none. */
  readonly applied: number;
}

interface FaultMatch extends CallMatch {
  readonly client_id?: string;
}

/** What is known of a call when faults are asked about it. */
export interface FaultCall extends MatchedCall {
  readonly operation: OperationId;
  readonly client_id: string | undefined;
}

export interface Faults {
  /** @throws Refusal 400 if there are 1,000 already */
  add(rule: FaultRule): Fault;
  list(): readonly Fault[];
  /** False if no fault has the id. */
  remove(id: string): boolean;
  /** No faults, and draws that repeat. */
  clear(): void;
  /** Whether a fault for this operation looks at the body, which then has to be read before `effectOn` is asked. */
  readsBody(operation: OperationId): boolean;
  /**
   * What is to happen to this call. Faults are asked in the order they were added: delays add up, the slowest body
   * counts, and the first answer or broken connection ends the search, so that a fault behind it is not used up.
   */
  effectOn(call: FaultCall): FaultEffect | undefined;
}

/** Rules by name; members that are given besides replace theirs. */
export const PRESETS = {
  busy: { status: 429, retry_after: 1, probability: 0.5 },
  outage: { status: 503, retry_after: 30 },
  slow: { delay_ms: { median: 500, p99: 3_000 } },
  flaky: { status: 502, probability: 0.2 },
} as const satisfies Record<string, Partial<FaultRule>>;

const LIMIT = 1_000;

/** @param generator where the draws start; a copy of the state's, so that neither moves the other */
export const createFaults = (generator: GeneratorState): Faults => {
  let draw = drawFrom(generator);
  let faults: CountedFault[] = [];
  let added = 0;
  return {
    add: (rule) => {
      if (faults.length >= LIMIT) throw tooMany();
      added += 1;
      const fault = { rule, id: `fault_${added}`, calls: 0, turns: 0, applied: 0 };
      faults.push(fault);
      return show(fault);
    },
    list: () => faults.map(show),
    remove: (id) => {
      const before = faults.length;
      faults = faults.filter((fault) => fault.id !== id);
      return faults.length < before;
    },
    clear: () => {
      faults = [];
      added = 0;
      draw = drawFrom(generator);
    },
    readsBody: (operation) =>
      faults.some(
        ({ rule }) =>
          isFor(rule, operation) && (rule.match?.body !== undefined || rule.match?.identifier !== undefined),
      ),
    effectOn: (call) => (faults.length === 0 ? undefined : findEffect(faults, call, draw)),
  };
};

interface CountedFault {
  readonly rule: FaultRule;
  readonly id: string;
  calls: number;
  /** Calls that it decided on, those that a sequence let through included. */
  turns: number;
  applied: number;
}

const show = ({ rule, id, calls, applied }: CountedFault): Fault => ({ ...rule, id, calls, applied });

const findEffect = (
  faults: readonly CountedFault[],
  call: FaultCall,
  draw: Draw,
): FaultEffect | undefined => {
  let found: FaultEffect | undefined;
  for (const fault of faults) {
    if (!takesEffect(fault, call, draw)) continue;
    const effect = effectOf(fault, call.operation, draw);
    if (!effect) continue;
    fault.applied += 1;
    found = found ? together(found, effect) : effect;
    if (found.answer || found.abort === 'before') break;
  }
  return found;
};

/** Counts the call, and the turn if it is one. */
const takesEffect = (fault: CountedFault, call: FaultCall, draw: Draw): boolean => {
  const { rule } = fault;
  if (!isFor(rule, call.operation) || !isMatched(rule, call)) return false;
  fault.calls += 1;
  if (fault.calls <= (rule.after ?? 0) || fault.turns >= turnsOf(rule)) return false;
  if (rule.probability !== undefined && draw.fraction() >= rule.probability) return false;
  fault.turns += 1;
  return true;
};

const isFor = ({ operation }: FaultRule, called: OperationId): boolean =>
  operation === '*' || operation === called;

const isMatched = ({ match }: FaultRule, call: FaultCall): boolean =>
  match === undefined ||
  ((match.client_id === undefined || match.client_id === call.client_id) && matchesCall(match, call));

const turnsOf = ({ times, status }: FaultRule): number =>
  times ?? (Array.isArray(status) ? status.length : Infinity);

/** Undefined where a sequence lets the call through and nothing else is to happen. */
const effectOf = (
  { rule, id, turns }: CountedFault,
  operation: OperationId,
  draw: Draw,
): FaultEffect | undefined => {
  const { status, delay_ms = 0, abort, bytes_per_second: bytesPerSecond } = rule;
  const turn = Array.isArray(status) ? status[(turns - 1) % status.length] : status;
  const answer = answerOf({ ...rule, status: turn }, operation, `fault ${id}`);
  const delayMs = drawDelay(delay_ms, draw);
  if (turn === 200 && delayMs === 0 && !abort && bytesPerSecond === undefined) return undefined;
  return {
    fault: id,
    delayMs,
    ...(answer && { answer }),
    ...(abort && { abort: abort === 'body' ? 'body' : 'before' }),
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
  };
};

/** Two effects on one call. The fault that answers or breaks off is the one that decided it. */
const together = (first: FaultEffect, second: FaultEffect): FaultEffect => {
  const bytesPerSecond = Math.min(first.bytesPerSecond ?? Infinity, second.bytesPerSecond ?? Infinity);
  return {
    ...first,
    ...second,
    fault: second.answer || second.abort ? second.fault : first.fault,
    delayMs: first.delayMs + second.delayMs,
    ...(bytesPerSecond < Infinity && { bytesPerSecond }),
  };
};

const tooMany = (): Refusal =>
  new Refusal(
    'FAILED_PRECONDITION',
    `This environment has ${LIMIT} faults already.`,
    'Delete the old ones, or give one of them more `times`.',
  );
