/** Injected failures: how people write them, the calls that they apply to, and how often each took effect (behaviour N2, X7). */

import { type Contract, operationsAt } from '../contract/load.ts';
import { invalidField, type OwnCodes, Refusal } from '../core/errors.ts';
import { headersProblem } from '../core/headers.ts';
import { defined } from '../core/object.ts';
import { cut, didYouMean } from '../core/text.ts';
import { bodyProblem, type CallMatch, canHavePath, type MatchedCall, matcherOf } from './call-match.ts';
import { type Instead, type InsteadRule, readInstead } from './planned-reply.ts';

/** Which calls a fault changes, and how. If the fault sends an answer or cuts the connection, no operation runs. */
export interface FaultForm extends InsteadRule {
  readonly operation: string | '*';
  /** The status of the answer; with a list, each call gets the next status. If it is 200, the operation runs. */
  readonly status?: number | number[];
  /** Milliseconds of real time before the answer. */
  readonly delay_ms?: number;
  /** Cuts the connection without an answer. With `after`, the operation has run by then (behaviour X8). */
  readonly abort?: true | 'before' | 'after';
  readonly match?: FaultMatch;
  /** How many matching calls the fault lets through first. */
  readonly after?: number;
  /** How often the fault takes effect at most. Default: no limit or, if `status` is a list, once for each item. */
  readonly times?: number;
}

export interface FaultRow extends FaultForm {
  readonly id: string;
  /** How many calls have matched so far. */
  readonly calls: number;
  /** How many calls the fault changed or delayed. */
  readonly applied: number;
  /** Whether the fault will never take effect again. */
  readonly used_up: boolean;
}

export interface FaultMatch extends CallMatch {
  readonly client_id?: string;
}

export interface FaultCall extends MatchedCall {
  /** The operationId; for a stub, its method and path. */
  readonly operation: string;
  readonly client_id: string | undefined;
}

/** What happens to a call: it waits, then its connection is cut, or it is answered instead, or the operation runs. */
interface FaultEffect {
  readonly fault: string;
  /** How long the call waits, in milliseconds of real time. */
  readonly delayMs: number;
  readonly abort?: FaultForm['abort'];
  readonly instead?: Instead;
}

export type Faults = ReturnType<typeof createFaults>;

const LIMIT = 1_000;

export const createFaults = (own: OwnCodes = {}) => {
  let faults: CountedFault[] = [];
  let added = 0;
  const add = (rule: FaultForm): CountedFault => {
    added += 1;
    const { times, status } = rule;
    const left = times ?? (Array.isArray(status) ? status.length : Infinity);
    const fault = { rule, id: `fault_${added}`, seen: 0, left, applied: 0 };
    faults.push(fault);
    return fault;
  };
  /** Replaces all faults. The numbers in their ids begin anew. */
  const set = (rules: readonly FaultForm[]): void => {
    faults = [];
    added = 0;
    rules.forEach(add);
  };
  return {
    set,
    /** @throws Refusal 400 if there are 1,000 faults, none of them used up */
    add: (rule: FaultForm): FaultRow => {
      if (faults.length >= LIMIT) makeRoom(faults);
      return present(add(rule));
    },
    list: () => faults.map(present),
    /** @returns false if no fault has the id */
    remove: (id: string): boolean => {
      const before = faults.length;
      faults = faults.filter((fault) => fault.id !== id);
      return faults.length < before;
    },
    /** Copies all faults. @returns a function that restores them with their counts */
    keep: () => {
      const kept = faults.map((fault) => ({ ...fault }));
      return (): void => {
        faults = kept.map((fault) => ({ ...fault }));
      };
    },
    /** The faults that can still take effect, as rules that go on where these are. */
    rules: (): readonly FaultForm[] => faults.filter(({ left }) => left > 0).map(restOf),
    clear: () => set([]),
    /** Whether `effectOn` needs the body of a call to this operation. */
    readsBody: (operation: string): boolean =>
      faults.some(
        ({ rule }) =>
          isFor(rule, operation) && (rule.match?.body !== undefined || rule.match?.identifier !== undefined),
      ),
    effectOn: (call: FaultCall) => (faults.length === 0 ? undefined : findEffect(faults, call, own)),
  };
};

interface CountedFault {
  readonly rule: FaultForm;
  readonly id: string;
  /** How many calls have matched so far. */
  seen: number;
  /** For how many more calls it is the fault's turn, those among them that a status of 200 leaves unchanged. */
  left: number;
  /** How many calls the fault changed or delayed. */
  applied: number;
}

/** The rule of a fault without the calls that have matched so far. */
const restOf = ({ rule: { after = 0, times, status, ...rule }, seen, left }: CountedFault): FaultForm => {
  const turns = Math.max(seen - after, 0);
  const repeated = Array.isArray(status) && times !== undefined ? turns % status.length : turns;
  const statuses = Array.isArray(status)
    ? [...status.slice(repeated), ...(times === undefined ? [] : status.slice(0, repeated))]
    : status;
  return {
    ...rule,
    ...defined({ status: statuses, after: Math.max(after - seen, 0) || undefined, times: times && left }),
  };
};

/** Removes the oldest fault that is used up. @throws Refusal 400 if all can still take effect */
const makeRoom = (faults: CountedFault[]): void => {
  const oldest = faults.findIndex(({ left }) => left === 0);
  if (oldest < 0)
    throw new Refusal(
      'FAILED_PRECONDITION',
      `This environment already has ${LIMIT} faults.`,
      'Delete faults that are no longer needed.',
    );
  faults.splice(oldest, 1);
};

const present = ({ rule, id, seen: calls, left, applied }: CountedFault): FaultRow => ({
  ...{ ...rule, id, calls, applied },
  used_up: left === 0,
});

/**
 * What happens to this call. Faults are tried in the order in which they were added, and their delays add up. The first
 * fault with an answer or a cut connection ends the search, so that the call does not use up later faults.
 */
const findEffect = (
  faults: readonly CountedFault[],
  call: FaultCall,
  own: OwnCodes,
): FaultEffect | undefined => {
  const matches = matcherOf(call);
  let delayed: FaultEffect | undefined;
  for (const fault of faults) {
    const { id, rule } = fault;
    if (!isFor(rule, call.operation) || !isMatched(rule, call, matches)) continue;
    const turn = takeTurn(fault);
    if (!turn) continue;
    const { delay_ms = 0, abort } = rule;
    const delayMs = (delayed?.delayMs ?? 0) + delay_ms;
    if (abort) return { fault: id, delayMs, abort };
    const instead = readInstead(rule, turn.status, call.operation, `fault ${id}`, own);
    if (instead) return { fault: id, delayMs, instead };
    delayed = { fault: delayed?.fault ?? id, delayMs };
  }
  return delayed;
};

/** Counts a matching call. @returns the status of the fault's turn; undefined if the call passes unchanged */
const takeTurn = (fault: CountedFault): { readonly status: number | undefined } | undefined => {
  const { after = 0, delay_ms, status: given } = fault.rule;
  const turn = fault.seen - after;
  fault.seen += 1;
  if (turn < 0 || fault.left === 0) return undefined;
  fault.left -= 1;
  const status = Array.isArray(given) ? given[turn % given.length] : given;
  if (status === 200 && !delay_ms) return undefined;
  fault.applied += 1;
  return { status };
};

const isFor = ({ operation }: FaultForm, called: string): boolean =>
  operation === '*' || operation === called;

const isMatched = (
  { match = {} }: FaultForm,
  { client_id }: FaultCall,
  matches: (match: CallMatch) => boolean,
): boolean => (match.client_id === undefined || match.client_id === client_id) && matches(match);

/** A fault as people write it. */
export type WrittenFault = Omit<FaultForm, 'operation'> & Partial<Pick<FaultForm, 'operation'>>;

/**
 * Reads the rule of a fault.
 * @throws Refusal 400 for an unknown operation, a `match.body` that no call can have, or a header that cannot be set
 */
export const readFault = (contract: Contract, { operation = '*', ...rest }: WrittenFault): FaultForm => {
  requireEffect(rest);
  requireHeaders(rest.headers ?? {});
  if (operation === '*') return { ...rest, operation };
  const known = requireOperation(contract, operation);
  requirePossible(contract, known, rest.match ?? {}, 'match.');
  return { ...rest, operation: known };
};

const requireHeaders = (headers: Readonly<Record<string, string>>): void => {
  const found = headersProblem(headers);
  if (!found) return;
  const field = `headers.${found.name}`;
  throw invalidField(field, 'header', `${field} ${found.words}.`, found.hint);
};

const ANSWER = ['status', 'error_code', 'body'] as const;

/** Refuses a fault without an effect, or with members of which one undoes the other. @throws Refusal 400 */
const requireEffect = (rule: Omit<WrittenFault, 'operation'>): void => {
  const answers = ANSWER.filter((name) => rule[name] !== undefined);
  const needed = (rule.headers ?? rule.retry_after) ? ANSWER : ([...ANSWER, 'delay_ms', 'abort'] as const);
  if (needed.every((name) => rule[name] === undefined)) {
    const names = needed.join(', ');
    throw invalidField(names, 'anyOf', `One of these is required: ${names}.`, 'Add one.');
  }
  const [name] = rule.abort === undefined ? [] : answers;
  if (name !== undefined)
    throw invalidField(name, 'not', `${name} cannot be combined with abort.`, `Leave out ${name} or abort.`);
};

/** Finds an operation of the contract by its name. @throws Refusal 400 if no operation has the name */
export const requireOperation = (contract: Contract, name: string): string => {
  const known = contract.operations.map(({ operationId }) => operationId);
  const found = known.find((operationId) => operationId === name);
  if (found !== undefined) return found;
  throw new Refusal(
    'INVALID_ARGUMENT',
    `operation is ${JSON.stringify(cut(name))}, which is not an operation of the contract.`,
    idOfCall(contract, name) ?? (didYouMean(name, known).trim() || `The operations are ${known.join(', ')}.`),
  );
};

/** @throws Refusal 400 for a condition that no call of the operation can meet (behaviour N6) */
export const requirePossible = (
  contract: Contract,
  operation: string,
  { path, body }: { readonly path?: string | undefined; readonly body?: unknown },
  at = '',
): void => {
  const { definition, path: template } = contract.operation(operation);
  if (body !== undefined && !definition.requestBody)
    throw invalidField(
      `${at}body`,
      'unusable',
      `${bodyProblem(operation, `${at}body`)}.`,
      'Compare path or query instead.',
    );
  if (path === undefined || canHavePath(template, path)) return;
  const problem = `${at}path is "${cut(path)}", but the path of ${operation} is ${template}.`;
  throw invalidField(`${at}path`, 'unusable', problem, 'Leave out one of the two, or write * for any text.');
};

/** Names the operation that somebody wrote as method and path. */
const idOfCall = (contract: Contract, name: string): string | undefined => {
  const [, method = '', path = ''] = /^([a-z]+)\s+(\/[^\s?]*)/i.exec(name) ?? [];
  const found = operationsAt(contract, path).find((one) => one.method === method.toLowerCase());
  return found && `That call is the operation ${found.operationId}.`;
};
