/** Faults that an environment is told to show: which call they strike is decided here, the http room carries it out. */

import { ApiError, type ErrorCode } from '../core/errors.ts';
import { type Draw, drawFrom, type GeneratorState } from '../core/ids.ts';
import type { OperationId } from '../openapi/types.ts';
import { injectedError } from './injected-error.ts';

/** What a fault strikes, and with what; `delay_ms` goes with or without an error or an abort. */
export interface FaultRule {
  readonly operation: OperationId | '*';
  readonly error_code?: ErrorCode | undefined;
  /** Milliseconds of real time before the answer. */
  readonly delay_ms?: number | undefined;
  /** The connection breaks off without an answer. */
  readonly abort?: boolean | undefined;
  /** So many matching calls are let through first. */
  readonly after?: number | undefined;
  /** At most so many strikes. */
  readonly times?: number | undefined;
  /** From 0 to 1, drawn anew for each call. */
  readonly probability?: number | undefined;
}

export interface Fault extends FaultRule {
  readonly id: string;
  /** Matching calls so far. */
  readonly calls: number;
  /** How often it struck. */
  readonly strikes: number;
}

/** What becomes of one call. */
export interface FaultEffect {
  /** The fault that decided it. */
  readonly fault: string;
  /** Milliseconds of real time to wait first; 0 for none. */
  readonly delayMs: number;
  readonly abort: boolean;
  /** What to answer instead of running the operation. */
  readonly error?: ApiError;
}

export interface Faults {
  /** @throws ApiError 400 if there are 1,000 already */
  add(rule: FaultRule): Fault;
  list(): readonly Fault[];
  /** False if no fault has the id. */
  remove(id: string): boolean;
  /** No faults, and draws that repeat. */
  clear(): void;
  /**
   * What strikes this call. Faults are asked in the order they were added: delays add up,
   * and the first error or abort ends the search, so that a fault behind it is not used up.
   */
  strike(operation: OperationId): FaultEffect | undefined;
}

const LIMIT = 1_000;

/** @param generator where the draws start; a copy of the state's, so that neither moves the other */
export const createFaults = (generator: GeneratorState): Faults => {
  let draw = drawFrom(generator);
  let faults: Counted[] = [];
  let added = 0;
  return {
    add: (rule) => {
      if (faults.length >= LIMIT) throw tooMany();
      added += 1;
      const fault = { ...rule, id: `fault_${added}`, calls: 0, strikes: 0 };
      faults.push(fault);
      return { ...fault };
    },
    list: () => faults.map((fault) => ({ ...fault })),
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
    strike: (operation) => (faults.length === 0 ? undefined : findStrike(faults, operation, draw)),
  };
};

type Counted = FaultRule & { readonly id: string; calls: number; strikes: number };

const findStrike = (
  faults: readonly Counted[],
  operation: OperationId,
  draw: Draw,
): FaultEffect | undefined => {
  let delayMs = 0;
  let delayedBy: string | undefined;
  for (const fault of faults) {
    if (!strikes(fault, operation, draw)) continue;
    delayMs += fault.delay_ms ?? 0;
    delayedBy ??= fault.id;
    const { id, abort = false, error_code: code } = fault;
    if (abort) return { fault: id, delayMs, abort };
    if (code) return { fault: id, delayMs, abort, error: injectedError(code, operation, `fault ${id}`) };
  }
  return delayedBy === undefined ? undefined : { fault: delayedBy, delayMs, abort: false };
};

/** Counts the call, and the strike if it is one. */
const strikes = (fault: Counted, operation: OperationId, draw: Draw): boolean => {
  if (fault.operation !== '*' && fault.operation !== operation) return false;
  fault.calls += 1;
  if (fault.calls <= (fault.after ?? 0) || fault.strikes >= (fault.times ?? Infinity)) return false;
  if (fault.probability !== undefined && draw.fraction() >= fault.probability) return false;
  fault.strikes += 1;
  return true;
};

const tooMany = (): ApiError =>
  new ApiError(
    'FAILED_PRECONDITION',
    `This environment has ${LIMIT} faults already. Delete the old ones, or give one of them more \`times\`.`,
  );
