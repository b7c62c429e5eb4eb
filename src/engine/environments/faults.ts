/** Injected failures: how people write them, the calls that they apply to, and how often each took effect (behaviour N2, X7). */
import { type Contract, operationsAt } from '../contract/load.ts';
import type { components } from '../control/generated.ts';
import { invalidField, type OwnCodes, Refusal } from '../core/errors.ts';
import { headersProblem } from '../core/headers.ts';
import { defined } from '../core/object.ts';
import { cut, didYouMean } from '../core/text.ts';
import { bodyProblem, canHavePath, type MatchedCall, matcherOf } from './call-match.ts';
import { type Instead, readInstead } from './planned-reply.ts';

type Schemas = components['schemas'];

/** A fault as people write it. */
export type WrittenFault = Schemas['FaultRule'];

/** Which calls a fault changes, and how. If the fault sends an answer or cuts the connection, no operation runs. */
export type FaultForm = WrittenFault & { readonly operation: string };

type CountedFault = FaultForm & {
  readonly id: string;
  /** How many calls have matched so far. */
  readonly calls: number;
  /** How many calls the fault changed or delayed. */
  readonly applied: number;
};

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

const LIMIT = 1_000;

export class Faults {
  /** All faults with their counts. Each call makes a new list, and new faults of those that it matches: snapshots keep lists. */
  all: readonly CountedFault[] = [];
  #added = 0;
  readonly #own: OwnCodes;

  constructor(own: OwnCodes = {}) {
    this.#own = own;
  }

  /** Replaces all faults. The numbers in their ids begin anew. */
  set(rules: readonly FaultForm[]): void {
    this.#added = 0;
    this.all = rules.map((rule) => this.#count(rule));
  }

  /** @throws Refusal 400 if there are 1,000 faults, none of them used up */
  add(rule: FaultForm): Schemas['Fault'] {
    const usedUp = this.all.find((fault) => leftOf(fault) === 0);
    if (this.all.length >= LIMIT && !usedUp)
      throw new Refusal(
        'FAILED_PRECONDITION',
        `This environment already has ${LIMIT} faults.`,
        'Delete faults that are no longer needed.',
      );
    if (this.all.length >= LIMIT && usedUp) this.remove(usedUp.id);
    const fault = this.#count(rule);
    this.all = [...this.all, fault];
    return present(fault);
  }

  list(): Schemas['Fault'][] {
    return this.all.map(present);
  }

  /** @returns false if no fault has the id */
  remove(id: string): boolean {
    const before = this.all;
    this.all = before.filter((fault) => fault.id !== id);
    return this.all.length < before.length;
  }

  /** The faults that can still take effect, as rules that go on where these are. */
  rules(): readonly FaultForm[] {
    return this.all.filter((fault) => leftOf(fault) > 0).map(restOf);
  }

  /** Whether `effectOn` needs the body of a call to this operation. */
  readsBody(operation: string): boolean {
    return this.all.some(
      (fault) =>
        isFor(fault, operation) && (fault.match?.body !== undefined || fault.match?.identifier !== undefined),
    );
  }

  /**
   * What happens to this call. Faults are tried in the order in which they were added, and their delays add up. The first
   * fault with an answer or a cut connection ends the search, so that the call does not use up later faults.
   */
  effectOn(call: FaultCall): FaultEffect | undefined {
    if (this.all.length === 0) return undefined;
    const matches = matcherOf(call);
    const counted = [...this.all];
    this.all = counted;
    let delayed: FaultEffect | undefined;
    for (const [nth, fault] of counted.entries()) {
      const { id, abort, delay_ms = 0, match: { client_id = call.client_id, ...match } = {} } = fault;
      if (!isFor(fault, call.operation) || client_id !== call.client_id || !matches(match)) continue;
      const turn = turnOf(fault);
      counted[nth] = { ...fault, calls: fault.calls + 1, applied: fault.applied + (turn ? 1 : 0) };
      if (!turn) continue;
      const delayMs = (delayed?.delayMs ?? 0) + delay_ms;
      if (abort) return { fault: id, delayMs, abort };
      const instead = readInstead(fault, turn.status, call.operation, this.#own);
      if (instead) return { fault: id, delayMs, instead };
      delayed = { fault: delayed?.fault ?? id, delayMs };
    }
    return delayed;
  }

  #count(rule: FaultForm): CountedFault {
    this.#added += 1;
    return { ...rule, id: `fault_${this.#added}`, calls: 0, applied: 0 };
  }
}

const isFor = ({ operation }: FaultForm, called: string): boolean =>
  operation === '*' || operation === called;

/** For how many more calls it is the fault's turn, those among them that a status of 200 leaves unchanged. */
const leftOf = ({ times, status, after = 0, calls }: CountedFault): number => {
  const limit = times ?? (Array.isArray(status) ? status.length : Infinity);
  return Math.max(limit - Math.max(calls - after, 0), 0);
};

const present = (fault: CountedFault) => ({ ...fault, used_up: leftOf(fault) === 0 });

/** The rule of a fault without the calls that have matched so far. */
const restOf = (fault: CountedFault): FaultForm => {
  const { id: _id, calls, applied: _applied, after = 0, times, status, ...rule } = fault;
  const turns = Math.max(calls - after, 0);
  const repeated = Array.isArray(status) && times !== undefined ? turns % status.length : turns;
  const statuses = Array.isArray(status)
    ? [...status.slice(repeated), ...(times === undefined ? [] : status.slice(0, repeated))]
    : status;
  return {
    ...rule,
    ...defined({
      status: statuses,
      after: Math.max(after - calls, 0) || undefined,
      times: times && leftOf(fault),
    }),
  };
};

/** The status with which a fault meets its next matching call; undefined if that call passes unchanged. */
const turnOf = (fault: CountedFault): { readonly status: number | undefined } | undefined => {
  const { after = 0, calls, delay_ms, status: given } = fault;
  if (calls < after || leftOf(fault) === 0) return undefined;
  const status = Array.isArray(given) ? given[(calls - after) % given.length] : given;
  return status === 200 && !delay_ms ? undefined : { status };
};

/**
 * Reads the rule of a fault.
 * @throws Refusal 400 for an unknown operation, a `match.body` that no call can have, or a header that cannot be set
 */
export const readFault = (contract: Contract, { operation = '*', ...rule }: WrittenFault): FaultForm => {
  requireEffect(rule);
  const header = headersProblem(rule.headers ?? {});
  if (header) {
    const field = `headers.${header.name}`;
    throw invalidField(field, 'header', `${field} ${header.words}.`, header.hint);
  }
  if (operation !== '*')
    requirePossible(contract, requireOperation(contract, operation), rule.match ?? {}, 'match.');
  return { ...rule, operation };
};

const ANSWER = ['status', 'error_code', 'body'] as const;

/** Refuses a fault without an effect, or with members of which one undoes the other. @throws Refusal 400 */
const requireEffect = (rule: WrittenFault): void => {
  const needed = (rule.headers ?? rule.retry_after) ? ANSWER : ([...ANSWER, 'delay_ms', 'abort'] as const);
  const names = needed.join(', ');
  if (needed.every((name) => rule[name] === undefined))
    throw invalidField(names, 'anyOf', `One of these is required: ${names}.`, 'Add one.');
  const name = ANSWER.find((each) => rule[each] !== undefined);
  if (rule.abort !== undefined && name !== undefined)
    throw invalidField(name, 'not', `${name} cannot be combined with abort.`, `Leave out ${name} or abort.`);
};

/** Finds an operation of the contract by its name. @throws Refusal 400 if no operation has the name */
export const requireOperation = (contract: Contract, name: string): string => {
  const known = contract.operations.map(({ operationId }) => operationId);
  if (known.includes(name)) return name;
  // Somebody may have written the method and path.
  const [, method = '', path = ''] = /^([a-z]+)\s+(\/[^\s?]*)/i.exec(name) ?? [];
  const meant = operationsAt(contract, path).find((one) => one.method === method.toLowerCase());
  throw new Refusal(
    'INVALID_ARGUMENT',
    `operation is ${JSON.stringify(cut(name))}, which is not an operation of the contract.`,
    meant
      ? `That call is the operation ${meant.operationId}.`
      : didYouMean(name, known).trim() || `The operations are ${known.join(', ')}.`,
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
  if (body !== undefined && !definition.requestBody) {
    const problem = `${bodyProblem(operation, `${at}body`)}.`;
    throw invalidField(`${at}body`, 'unusable', problem, 'Compare path or query instead.');
  }
  if (path === undefined || canHavePath(template, path)) return;
  const problem = `${at}path is "${cut(path)}", but the path of ${operation} is ${template}.`;
  throw invalidField(`${at}path`, 'unusable', problem, 'Leave out one of the two, or write * for any text.');
};
