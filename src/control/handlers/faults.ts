/** Calls that make the API fail on demand. */
import { ERROR_KINDS, type ErrorCode } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { Fault, FaultRule } from '../../environments/faults.ts';
import { codeOfStatus, statusOfCode } from '../../environments/injected-error.ts';
import { ControlError } from '../errors.ts';
import type { Context, ControlSchemas, Handlers } from '../types.ts';
import { DONE, requireEnvironment } from './lookup.ts';
import { requireOperation } from './operation-name.ts';

export const faults: Pick<Handlers, 'listFaults' | 'addFault' | 'deleteFaults'> = {
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
};

/** @throws ControlError 400 for an unknown operation or code, and for a rule that says nothing or two things at once */
const readRule = ({ environments }: Context, given: ControlSchemas['FaultRule']): FaultRule => {
  const { operation, status: _status, error_code: _code, ...rest } = given;
  const error_code = readCode(given);
  if (error_code === undefined && !rest.abort && rest.delay_ms === undefined) {
    throw new ControlError(
      'INVALID_ARGUMENT',
      'The fault says nothing of what is to happen.',
      'Add one or more of status, error_code, delay_ms and abort.',
    );
  }
  if (error_code !== undefined && rest.abort) {
    throw new ControlError(
      'INVALID_ARGUMENT',
      'A connection that breaks off answers no error.',
      'Leave out abort, or status and error_code.',
    );
  }
  return {
    ...rest,
    operation: operation === '*' ? '*' : requireOperation(environments, 'operation', operation),
    ...(error_code !== undefined && { error_code }),
  };
};

const readCode = ({ status, error_code }: ControlSchemas['FaultRule']): ErrorCode | undefined => {
  if (error_code === undefined) return status === undefined ? undefined : codeOfStatus(status);
  if (!isErrorCode(error_code)) throw unknownCode(error_code);
  if (status === undefined || statusOfCode(error_code) === status) return error_code;
  throw new ControlError(
    'INVALID_ARGUMENT',
    `${error_code} goes with status ${statusOfCode(error_code)}, not ${status}.`,
    'Leave one of the two out.',
  );
};

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_KINDS, text);

const unknownCode = (code: string): ControlError => {
  const known = Object.keys(ERROR_KINDS);
  return new ControlError(
    'INVALID_ARGUMENT',
    `error_code is ${JSON.stringify(code.slice(0, 100))}, which the contract does not have.`,
    didYouMean(code, known).trim() || `There are ${known.join(', ')}.`,
  );
};

const unknownFault = (id: string): ControlError =>
  new ControlError('NOT_FOUND', `There is no fault ${id}.`, 'GET .../faults lists them with their ids.');

const presentFault = (fault: Fault): ControlSchemas['Fault'] => {
  const { error_code, ...rest } = fault;
  const present = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    // The members of a fault, without those that have no value.
    ...(Object.fromEntries(present) as Omit<ControlSchemas['Fault'], 'status' | 'error_code'>),
    ...(error_code !== undefined && { status: statusOfCode(error_code), error_code }),
  };
};
