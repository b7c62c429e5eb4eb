/** Calls that make the API fail on demand. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ERROR_KINDS, type ErrorCode, Refusal } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import { cut } from '../../core/text.ts';
import { requireFewItems } from '../../environments/call-match.ts';
import { goTogether } from '../../environments/fault-effect.ts';
import { type Fault, type FaultRule, PRESETS } from '../../environments/faults.ts';
import type { Context, ControlSchemas, Handlers } from '../types.ts';
import { DONE, requireEnvironment, requireOperation } from './lookup.ts';

export const faults = {
  listFaults: ({ path }, context) => ({
    status: 200,
    body: { faults: requireEnvironment(context, path.env).faults.list().map(presentFault) },
  }),

  addFault: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    return { status: 201, body: presentFault(environment.faults.add(readRule(context, body))) };
  },

  deleteFaults: ({ path, query: { id } }, context) => {
    const environment = requireEnvironment(context, path.env);
    if (id === undefined) environment.faults.clear();
    else if (!environment.faults.remove(id)) throw unknownFault(id);
    return DONE;
  },
} satisfies Partial<Handlers>;

type GivenRule = ControlSchemas['FaultRule'];

/** @throws Refusal 400 for an unknown operation or code, and for a rule that says nothing or contradicts itself */
const readRule = ({ environments }: Context, given: GivenRule): FaultRule => {
  const { operation = '*', preset, error_code, ...rest } = given;
  const rule: FaultRule = {
    ...(preset && PRESETS[preset]),
    ...rest,
    ...(preset && { preset }),
    ...(error_code !== undefined && { error_code: requireCode(error_code) }),
    operation: operation === '*' ? '*' : requireOperation(environments, operation),
  };
  requireFewItems(rule.match?.body);
  requireEffect(rule);
  requireOneAnswer(rule);
  requireHeaders(rule);
  requireOrder(rule.delay_ms);
  return rule;
};

const refuse = (message: string, hint: string): Refusal => new Refusal('INVALID_ARGUMENT', message, hint);

const hasAnswer = ({ status, error_code, body }: FaultRule): boolean =>
  status !== undefined || error_code !== undefined || body !== undefined;

const requireEffect = (rule: FaultRule): void => {
  if (hasAnswer(rule) || rule.abort || rule.delay_ms !== undefined || rule.bytes_per_second !== undefined)
    return;
  throw refuse(
    'The fault says nothing of what is to happen.',
    'Add one or more of preset, status, error_code, body, delay_ms, bytes_per_second and abort.',
  );
};

const requireOneAnswer = (rule: FaultRule): void => {
  const { abort, status, error_code: code, bytes_per_second } = rule;
  if (abort === true && (hasAnswer(rule) || bytes_per_second !== undefined))
    throw refuse(
      'A connection that breaks off before the answer has none.',
      'Leave out what is said of the answer, or write "abort": "body" to break off in the middle of it.',
    );
  const other = [status ?? []]
    .flat()
    .find((one) => code !== undefined && one !== 200 && !goTogether(one, code));
  if (code !== undefined && other !== undefined)
    throw refuse(
      `${code} goes with status ${ERROR_KINDS[code].status}, not ${other}.`,
      'Leave one of the two out.',
    );
};

/** What node sets by itself, and would be wrong if it were set. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);

const requireHeaders = (rule: FaultRule): void => {
  if ((rule.headers || rule.retry_after !== undefined) && !hasAnswer(rule))
    throw refuse('Headers need an answer that they are sent with.', 'Add a status, an error_code or a body.');
  for (const [name, value] of Object.entries(rule.headers ?? {})) {
    if (!FRAMING.has(name.toLowerCase()) && isHeader(name, value)) continue;
    throw refuse(
      `headers.${cut(name)} is no header that can be set.`,
      'Names are letters, digits and "-", values have no line breaks; Content-Length and Transfer-Encoding are set by the mock.',
    );
  }
};

const isHeader = (name: string, value: string): boolean => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};

const requireOrder = (delay: FaultRule['delay_ms']): void => {
  if (delay === undefined || typeof delay === 'number') return;
  const [low, high] = 'min' in delay ? [delay.min, delay.max] : [delay.median, delay.p99];
  if (low <= high) return;
  throw refuse(
    `delay_ms has ${low} as its ${'min' in delay ? 'min' : 'median'}, which is more than ${high}.`,
    'Exchange the two.',
  );
};

const requireCode = (code: string): ErrorCode => {
  if (isErrorCode(code)) return code;
  const known = Object.keys(ERROR_KINDS);
  throw refuse(
    `error_code is ${JSON.stringify(cut(code))}, which the contract does not have.`,
    didYouMean(code, known).trim() || `There are ${known.join(', ')}.`,
  );
};

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_KINDS, text);

const unknownFault = (id: string): Refusal =>
  new Refusal('NOT_FOUND', `There is no fault ${id}.`, 'GET .../faults lists them with their ids.');

const presentFault = (fault: Fault): ControlSchemas['Fault'] => fault;
