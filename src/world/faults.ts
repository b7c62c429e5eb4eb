/** Faults that an environment is told to show: which call they strike is decided here, the http room carries it out. */
import type { OperationId } from '../contract/types.ts';
import { ApiError, ERROR_KINDS, type ErrorCode } from '../core/errors.ts';
import { type Draw, drawFrom, type GeneratorState } from '../core/ids.ts';

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
export interface Strike {
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
  strike(operation: OperationId): Strike | undefined;
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

const findStrike = (faults: readonly Counted[], operation: OperationId, draw: Draw): Strike | undefined => {
  let delayMs = 0;
  let delayedBy: string | undefined;
  for (const fault of faults) {
    if (!strikes(fault, operation, draw)) continue;
    delayMs += fault.delay_ms ?? 0;
    delayedBy ??= fault.id;
    const { id, abort = false, error_code: code } = fault;
    if (abort) return { fault: id, delayMs, abort };
    if (code) return { fault: id, delayMs, abort, error: injectedError(code, `fault ${id}`) };
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

/** Seconds that a client is asked to wait by an injected 429 or 504. */
const RETRY_AFTER = '1';

/** An error as the contract shapes it, made on demand. @param origin who asked for it: `fault fault_1` */
export const injectedError = (code: ErrorCode, origin: string): ApiError =>
  new ApiError(code, `${code} was asked for by ${origin}; the operation did not run and nothing changed.`, {
    ...(code === 'RATE_LIMITED' && { headers: { 'Retry-After': RETRY_AFTER } }),
  });

/** The error codes that can be asked for by their status alone; the first of each status. */
const INJECTABLE: ReadonlyMap<number, ErrorCode> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'RESOURCE_ALREADY_EXISTS'],
  [429, 'RATE_LIMITED'],
  [500, 'INTERNAL_ERROR'],
  [501, 'UNIMPLEMENTED'],
  [504, 'DEADLINE_EXCEEDED'],
]);

/** The error code that a status alone asks for, or undefined if it cannot be injected. */
export const codeOfStatus = (status: number): ErrorCode | undefined => INJECTABLE.get(status);

export const statusOfCode = (code: ErrorCode): number => ERROR_KINDS[code].status;

/**
 * The error that a `Prefer` header asks for one request: `code=429`. Several headers are one, joined by commas.
 * Undefined if it names none, or one that cannot be injected: an unknown preference is ignored (RFC 7240).
 */
export const preferredCode = (header: string | undefined): ErrorCode | undefined => {
  if (header === undefined) return undefined;
  const status = /(?:^|[,;])\s*code\s*=\s*"?(\d{3})"?\s*(?=$|[,;])/i.exec(header)?.[1];
  return status === undefined ? undefined : codeOfStatus(Number(status));
};
