/**
 * Injected failures: how people write them, the calls that they apply to, how often each took effect, and the replies in
 * place of an operation's own (behaviour N2, X7).
 */
import { type Contract, operationsAt } from '../contract/load.ts';
import type { components } from '../control/generated.ts';
import {
  ERROR_KINDS,
  type ErrorCode,
  invalidField,
  type OwnCodes,
  Refusal,
  type RefusalExtras,
  requireRoom,
} from '../core/errors.ts';
import { headersProblem } from '../core/headers.ts';
import { cut, suggest } from '../core/text.ts';
import { bodyProblem, canHavePath, type MatchedCall, matcherOf } from './call-match.ts';

type Schemas = components['schemas'];

export type WrittenFault = Schemas['FaultRule'];

/** Which calls a fault changes, and how. If the fault sends an answer or cuts the connection, no operation runs. */
export type FaultForm = WrittenFault & { readonly operation: string };

/** A fault of an environment. Never changed: each call that it matches makes another one, since snapshots keep them. */
export interface CountedFault {
  readonly id: string;
  readonly rule: FaultForm;
  /** How many calls have matched so far, and how many of them the fault changed or delayed. */
  readonly calls: number;
  readonly applied: number;
}

export interface FaultCall extends MatchedCall {
  /** The operationId; for a stub, its method and path. */
  readonly operation: string;
}

/** What happens to a call: it waits, then its connection is cut, or it is answered instead, or the operation runs. */
export interface FaultEffect {
  readonly fault: string;
  /** How long the call waits, in milliseconds of real time. */
  readonly delayMs: number;
  readonly abort?: FaultForm['abort'] | undefined;
  readonly instead?: Refusal | SentReply | undefined;
}

export interface SentReply {
  readonly status: number;
  readonly headers?: Headers | undefined;
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

const MOST_FAULTS = 1_000;

/** The faults with these rules, all counts at zero. */
export const toFaults = (rules: readonly FaultForm[]): readonly CountedFault[] =>
  rules.map((rule, nth) => ({ id: `fault_${nth + 1}`, rule, calls: 0, applied: 0 }));

/** Adds a fault; used-up ones make room for it. @throws Refusal 400 if there are 1,000, none of them used up */
export const addFault = (faults: readonly CountedFault[], rule: FaultForm) => {
  const isFull = faults.length >= MOST_FAULTS;
  const kept = isFull ? faults.filter((one) => !isUsedUp(one)) : faults;
  requireRoom(kept.length, MOST_FAULTS, 'faults', 'Delete those that are no longer needed.');
  const last = Number(faults.at(-1)?.id.replace('fault_', '') ?? 0);
  const fault: CountedFault = { id: `fault_${last + 1}`, rule, calls: 0, applied: 0 };
  return { fault, faults: [...kept, fault] };
};

export const presentFault = (fault: CountedFault): Schemas['Fault'] => {
  const { id, rule, calls, applied } = fault;
  return { ...rule, id, calls, applied, used_up: isUsedUp(fault) };
};

/** The faults that can still take effect, as rules that go on where these are. */
export const rulesOf = (faults: readonly CountedFault[]): readonly FaultForm[] =>
  faults.filter((one) => !isUsedUp(one)).map(restOf);

/** Whether `effectOn` needs the body of a call to this operation. */
export const readsBody = (faults: readonly CountedFault[], operation: string): boolean =>
  faults.some(
    ({ rule }) => isFor(rule, operation) && (rule.match?.body ?? rule.match?.identifier) !== undefined,
  );

/**
 * What happens to a call, and the faults after it: the same list if none matches. Faults are tried in the order in which
 * they were added, and their delays add up. The first one with an answer or a cut connection ends the search, so that the
 * call does not use up later ones.
 */
export const effectOn = (faults: readonly CountedFault[], call: FaultCall, own: OwnCodes = {}) => {
  const matches = matcherOf(call);
  let counted = faults;
  let delayed: FaultEffect | undefined;
  for (const [nth, fault] of faults.entries()) {
    const { id, rule, calls, applied } = fault;
    const { match = {}, delay_ms = 0, abort } = rule;
    if (!isFor(rule, call.operation) || !matches(match)) continue;
    const turn = turnOf(fault);
    counted = counted.with(nth, { id, rule, calls: calls + 1, applied: turn ? applied + 1 : applied });
    if (!turn) continue;
    const delayMs = delay_ms + (delayed?.delayMs ?? 0);
    const instead = abort ? undefined : answerOf(fault, turn.status, call.operation, own);
    if (abort || instead) return { effect: { fault: id, delayMs, abort, instead }, faults: counted };
    delayed = { fault: delayed?.fault ?? id, delayMs };
  }
  return { effect: delayed, faults: counted };
};

const isFor = ({ operation }: FaultForm, called: string): boolean =>
  operation === '*' || operation === called;

/** How many calls a fault has met, after those that it lets through first; below 0 while it still does. */
const metBy = ({ rule: { after = 0 }, calls }: CountedFault): number => calls - after;

const isUsedUp = (fault: CountedFault): boolean => {
  const { times, status } = fault.rule;
  return metBy(fault) >= (times ?? (Array.isArray(status) ? status.length : Infinity));
};

/** The status with which a fault meets its next matching call; undefined if that call passes unchanged. */
const turnOf = (fault: CountedFault): { readonly status: number | undefined } | undefined => {
  const met = metBy(fault);
  if (met < 0 || isUsedUp(fault)) return undefined;
  const { status: listed, delay_ms } = fault.rule;
  const status = Array.isArray(listed) ? listed[met % listed.length] : listed;
  return status === 200 && !delay_ms ? undefined : { status };
};

/** The rest of the rule of a fault that is not used up. With `times`, a list of statuses begins anew. */
const restOf = (fault: CountedFault): FaultForm => {
  const { after: _, ...rule } = fault.rule;
  const { times, status } = rule;
  const met = metBy(fault);
  if (met < 0) return { ...rule, after: -met };
  const left = times === undefined ? rule : { ...rule, times: times - met };
  if (!Array.isArray(status)) return left;
  const first = met % status.length;
  const again = times === undefined ? [] : status.slice(0, first);
  return { ...left, status: [...status.slice(first), ...again] };
};

/** The answer that a fault asks for. Undefined if it asks for none, or for status 200, which lets the operation run. */
const answerOf = (
  { id, rule: { error_code: code, body, headers: more, retry_after } }: CountedFault,
  status: number | undefined,
  operation: string,
  own: OwnCodes,
): Refusal | SentReply | undefined => {
  if (status === 200) return undefined;
  const headers = { ...(retry_after !== undefined && { 'Retry-After': String(retry_after) }), ...more };
  const kind = kindOf(status, code, own);
  const answered = status ?? (code === undefined ? undefined : ERROR_KINDS[kind].status);
  if (body !== undefined) return toReply(answered ?? 200, headers, body);
  if (answered === undefined) return undefined;
  return injectError(answered, operation, `fault ${id}`, headers, kind, code);
};

/** Guesses the content type by the first character, so that truncated JSON is still sent as JSON. `headers` can have another. */
const toReply = (status: number, headers: Headers, body: string | object): SentReply => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const [first = ''] = text.trimStart();
  const type = first === '<' ? 'text/html' : /[[{]/.test(first) ? 'application/json' : 'text/plain';
  return { status, headers: { 'Content-Type': `${type}; charset=utf-8`, ...headers }, text };
};

/** An error with all members that a real error of this status has. @param code a code of the caller's own, of any text */
const injectError = (
  status: number,
  operation: string,
  cause: string,
  headers: Headers,
  kind = kindOf(status),
  code?: string,
): Refusal => {
  const message = `${status} ${code ?? kind} was requested by ${cause}; the operation did not run and nothing changed.`;
  const extras = extrasOf(kind, operation, message);
  return new Refusal(kind, message, '', {
    ...extras,
    guide: 'stubs#let-calls-fail',
    isInjected: true,
    status,
    ...(code !== undefined && { shownCode: code }),
    headers: { ...extras.headers, ...headers },
  });
};

export const preferredError = (status: number, operation: string): Refusal =>
  injectError(status, operation, 'the Prefer header', { 'Preference-Applied': `code=${status}` });

const extrasOf = (kind: ErrorCode, operation: string, message: string): RefusalExtras => {
  if (kind === 'RATE_LIMITED') return { headers: { 'Retry-After': '1' } };
  if (kind === 'INVALID_ARGUMENT')
    return { violations: [{ field: 'request', constraint: 'injected', description: message }] };
  // Errors with these statuses have `resource_info` (behaviour R1).
  return [403, 404, 409].includes(ERROR_KINDS[kind].status)
    ? { resource: { resource_name: `operation ${operation}`, description: 'The operation did not run.' } }
    : {};
};

const CODES = Object.keys(ERROR_KINDS) as ErrorCode[];

/**
 * The kind of a code that the mock knows; else the first one with this status. Without one, 4xx counts as 400, 502 as 503,
 * other 5xx as 500 (RFC 9110, 15).
 */
const kindOf = (status = 500, code = '', own: OwnCodes = {}): ErrorCode => {
  const known = CODES.find((each) => each === code) ?? (Object.hasOwn(own, code) ? own[code] : undefined);
  if (known || status === 502) return known ?? 'UNAVAILABLE';
  const found = CODES.find((each) => ERROR_KINDS[each].status === status && ERROR_KINDS[each].rule);
  return found ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR');
};

/** @throws Refusal 400 for an unknown operation, a condition that no call can meet, or a header that cannot be set */
export const readFault = (contract: Contract, { operation = '*', ...rule }: WrittenFault): FaultForm => {
  requireEffect(rule);
  const header = headersProblem(rule.headers ?? {});
  if (header) {
    const field = `headers.${header.name}`;
    throw invalidField(field, 'header', `${field} ${header.words}.`, header.hint);
  }
  if (operation !== '*') requirePossible(contract, operation, rule.match ?? {}, 'match.');
  return { ...rule, operation };
};

const ANSWER = ['status', 'error_code', 'body'] as const;

/** Refuses a fault without an effect, or with members of which one undoes the other. @throws Refusal 400 */
const requireEffect = (rule: WrittenFault): void => {
  const needed =
    (rule.headers ?? rule.retry_after) !== undefined ? ANSWER : ([...ANSWER, 'delay_ms', 'abort'] as const);
  const names = needed.join(', ');
  if (needed.every((name) => rule[name] === undefined))
    throw invalidField(names, 'anyOf', `One of these is required: ${names}.`, 'Add one.');
  const lost = ANSWER.filter((name) => rule[name] !== undefined).join(', ');
  if (rule.abort !== undefined && lost !== '')
    throw invalidField(lost, 'not', `${lost} cannot be combined with abort.`, `Leave out ${lost} or abort.`);
};

/**
 * @param at where the condition stands, such as `match.`
 * @throws Refusal 400 for an operation that the contract lacks, or a condition that no call of it can meet (behaviour N6)
 */
export const requirePossible = (
  contract: Contract,
  name: string,
  { path, body }: { readonly path?: string | undefined; readonly body?: unknown },
  at = '',
): void => {
  const operation = contract.operations.find(({ operationId }) => operationId === name);
  if (!operation) throw unknownOperation(contract, name);
  const { definition, path: template } = operation;
  if (body !== undefined && !definition.requestBody) {
    const problem = `${bodyProblem(name, `${at}body`)}.`;
    throw invalidField(`${at}body`, 'unusable', problem, 'Compare path or query instead.');
  }
  if (path === undefined || canHavePath(template, path)) return;
  const problem = `${at}path is "${cut(path)}", but the path of ${name} is ${template}.`;
  throw invalidField(`${at}path`, 'unusable', problem, 'Leave out one of the two, or write * for any text.');
};

const unknownOperation = (contract: Contract, name: string): Refusal => {
  const known = contract.operations.map(({ operationId }) => operationId);
  // Somebody may have written the method and path.
  const [, method = '', path = ''] = /^([a-z]+)\s+(\/[^\s?]*)/i.exec(name) ?? [];
  const meant = operationsAt(contract, path).find((one) => one.method === method.toLowerCase());
  const problem = `operation is ${JSON.stringify(cut(name))}, which is not an operation of the contract.`;
  const hint = meant && `That call is the operation ${meant.operationId}.`;
  return new Refusal('INVALID_ARGUMENT', problem, hint ?? suggest(name, known, 'operations'));
};
