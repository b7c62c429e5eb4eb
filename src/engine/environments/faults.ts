/** Injected failures: the calls that they apply to, and how often each took effect. */

import { type OwnCodes, Refusal } from '../core/errors.ts';
import { defined } from '../core/object.ts';
import { type CallMatch, type MatchedCall, matcherOf } from './call-match.ts';
import { type Instead, type InsteadRule, readInstead } from './instead.ts';

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
  return {
    /** @throws Refusal 400 if there are 1,000 faults, none of them used up */
    add: (rule: FaultForm): FaultRow => {
      if (faults.length >= LIMIT) makeRoom(faults);
      added += 1;
      const fault = { rule, id: `fault_${added}`, seen: 0 };
      faults.push(fault);
      return present(fault);
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
    /** Replaces all faults. The numbers in their ids begin anew. */
    set: (rules: readonly FaultForm[]): void => {
      faults = rules.map((rule, nth) => ({ rule, id: `fault_${nth + 1}`, seen: 0 }));
      added = rules.length;
    },
    /** The faults that can still take effect, as rules that go on where these are. */
    rules: (): readonly FaultForm[] => faults.filter((fault) => !isUsedUp(fault)).map(restOf),
    /** Removes all faults, and restarts the numbers in fault ids. */
    clear: (): void => {
      faults = [];
      added = 0;
    },
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
  /** How many calls have matched so far. All other counts follow from this one. */
  seen: number;
}

/** On how many calls a fault takes effect at most, including those that it leaves unchanged because its status is 200. */
const mostTurns = ({ times, status }: FaultForm): number =>
  times ?? (Array.isArray(status) ? status.length : Infinity);

/** How many of the calls so far were the fault's turn: those after the first `after`, and before it was used up. */
const turnsOf = ({ rule, seen }: CountedFault): number =>
  Math.min(Math.max(seen - (rule.after ?? 0), 0), mostTurns(rule));

const isUsedUp = (fault: CountedFault): boolean => turnsOf(fault) >= mostTurns(fault.rule);

/** The rule of a fault without the calls that have matched so far. */
const restOf = (fault: CountedFault): FaultForm => {
  const { after = 0, times, status, ...rule } = fault.rule;
  const turns = turnsOf(fault);
  const left = Math.max(after - fault.seen, 0);
  const most = times === undefined ? undefined : times - turns;
  const isSequence = Array.isArray(status);
  const next = isSequence ? turns % status.length : 0;
  const statuses = isSequence
    ? [...status.slice(next), ...(times === undefined ? [] : status.slice(0, next))]
    : status;
  return { ...rule, ...defined({ status: statuses, after: left || undefined, times: most }) };
};

/** Removes the oldest fault that is used up. @throws Refusal 400 if all can still take effect */
const makeRoom = (faults: CountedFault[]): void => {
  const oldest = faults.findIndex(isUsedUp);
  if (oldest < 0)
    throw new Refusal(
      'FAILED_PRECONDITION',
      `This environment already has ${LIMIT} faults.`,
      'Delete faults that are no longer needed.',
    );
  faults.splice(oldest, 1);
};

const present = (fault: CountedFault): FaultRow => {
  const { rule, id, seen: calls } = fault;
  return { ...rule, id, calls, applied: countApplied(fault), used_up: isUsedUp(fault) };
};

/** How many calls the fault changed or delayed: its turns without those that it let through. */
const countApplied = (fault: CountedFault): number => {
  const { rule } = fault;
  const turns = turnsOf(fault);
  if (!Array.isArray(rule.status) || rule.delay_ms) return turns;
  return Array.from({ length: turns }, (_, turn) => statusOfTurn(rule, turn)).filter((one) => one !== 200)
    .length;
};

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
    if (!isFor(fault.rule, call.operation) || !isMatched(fault.rule, call, matches)) continue;
    const turns = turnsOf(fault);
    fault.seen += 1;
    if (turnsOf(fault) === turns) continue;
    const { id, rule } = fault;
    const status = statusOfTurn(rule, turns);
    const instead = readInstead(rule, status, call.operation, `fault ${id}`, own);
    const { delay_ms = 0 } = rule;
    if (status === 200 && delay_ms === 0) continue;
    const delayMs = (delayed?.delayMs ?? 0) + delay_ms;
    if (rule.abort) return { fault: id, delayMs, abort: rule.abort };
    if (instead) return { fault: id, delayMs, instead };
    delayed = { fault: delayed?.fault ?? id, delayMs };
  }
  return delayed;
};

const isFor = ({ operation }: FaultForm, called: string): boolean =>
  operation === '*' || operation === called;

const isMatched = (
  { match = {} }: FaultForm,
  { client_id }: FaultCall,
  matches: (match: CallMatch) => boolean,
): boolean => (match.client_id === undefined || match.client_id === client_id) && matches(match);

const statusOfTurn = ({ status }: FaultForm, turn: number): number | undefined =>
  Array.isArray(status) ? status[turn % status.length] : status;
