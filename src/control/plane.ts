/** The control plane: its own OpenAPI document as an Express router, to be mounted at `/_mock`. */

import type { Socket } from 'node:net';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { node } from '../core/node-globals.ts';
import { readBody } from '../http/body.ts';
import { streamEvents } from '../http/event-stream.ts';
import { mountContract } from '../http/mount.ts';
import { addProblems, refuseProblems } from '../http/progress.ts';
import { numberProblem, readQuery } from '../http/query.ts';
import { sendJson } from '../http/reply.ts';
import { unknownName } from '../http/spelling.ts';
import { createValidate, type ValidationOptions } from '../http/validate.ts';
import { bodyOf } from '../openapi/members.ts';
import type { CallControl } from './call.ts';
import { type ControlContract, type ControlOperation, loadControlContract } from './document.ts';
import { DOCUMENT, presentRefusal } from './errors.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { sendPieces } from './long-answer.ts';
import type { AnyAnswer, ControlId } from './types.ts';

export interface ControlOptions extends GuardOptions, ValidationOptions {
  readonly callControl: CallControl;
  /** Called for every internal error, which a caller sees as a plain 500. */
  readonly onInternalError: (error: unknown) => void;
}

export interface ControlPlane {
  readonly router: Router;
  /** Ends streams and waits, so that the server can close. */
  close(): void;
}

const MIB = 1024 * 1024;

/** What may be sent, so that other callers wait for a second at most. */
const BODY_LIMITS = { limit: 8 * MIB, mostValues: 100_000 };

/** A whole environment may be sent: as many rows as are allowed need less than this. */
const STATE_LIMITS = { limit: 64 * MIB, mostValues: 500_000 };

/** The text of 100,000 rows needs less than this. */
const YAML_LIMIT = 256 * MIB;

const TAKES_STATE: ReadonlySet<string> = new Set<ControlId>([
  'replaceState',
  'mergeState',
  'createEnvironment',
  'putEnvironment',
  'resetEnvironment',
]);

export const createControlPlane = (options: ControlOptions): ControlPlane => {
  const contract = loadControlContract();
  const calls = createCallsUnderWay();
  const router = mountContract({
    contract,
    prefix: '/_mock',
    listedIn: DOCUMENT,
    otherwise: [],
    wrongMethod: { code: 'METHOD_NOT_ALLOWED', always: [] },
    before: [setHeaders, createGuard(options)],
    stepsOf: (operation) => [
      readBodyOf(
        operation,
        readBody({
          kind: 'application/json',
          keepsAbsent: true,
          ...(TAKES_STATE.has(operation.operationId) ? STATE_LIMITS : BODY_LIMITS),
        }),
      ),
      // Where one deletes, `?id=` names something that got lost, not everything.
      readQuery(operation, () => ({ isStrict: true, keepsEmpty: operation.method !== 'get' })),
      findProblems(operation, contract),
      createValidate(contract, operation, options),
      refuseProblems,
      serve(operation, options.callControl, calls),
    ],
    present: presentRefusal,
    send: (response, text) => void response.send(text),
    onInternalError: options.onInternalError,
  });
  return { router, close: calls.close };
};

/** The text of a scenario file may be the body itself; any other body is read by `readJson`. */
const readBodyOf = ({ operationId }: ControlOperation, readJson: RequestHandler): RequestHandler => {
  const readText = express.text({ limit: YAML_LIMIT, type: 'application/yaml' });
  return (request, response, next) => {
    if (operationId !== 'importScenario' || !request.is('application/yaml'))
      readJson(request, response, next);
    else
      readText(request, response, (error?: unknown) => {
        if (error !== undefined) return next(error);
        request.body = { text: request.body };
        request.headers['content-type'] = 'application/json';
        next();
      });
  };
};

/** What a control call answers is true at that instant only, and is not to be framed or guessed at. */
const setHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
  next();
};

/** What the validator does not find: path numbers in another form, and members where no body is described. */
const findProblems = (operation: ControlOperation, contract: ControlContract): RequestHandler => {
  const described = bodyOf(contract.document, operation.definition);
  return (request, response, next) => {
    addProblems(response, [
      ...pathProblems(operation, request.params),
      ...bodyProblems(described, request.body),
    ]);
    next();
  };
};

const pathProblems = ({ parameters }: ControlOperation, sent: Request['params']): FieldViolation[] =>
  parameters.flatMap(({ name, in: place, schema }) =>
    place === 'path' ? (numberProblem(name, schema?.type, String(sent[name])) ?? []) : [],
  );

/** The validator accepts a missing body where one is required, and any body where none is described. */
const bodyProblems = (described: ReturnType<typeof bodyOf>, body: unknown): FieldViolation[] => {
  if (described?.isRequired && body === undefined) return [MISSING_BODY];
  if (described) return [];
  const names = Object.keys(body ?? {}).slice(0, MOST_VIOLATIONS);
  return names.map((name) => unknownName('', name, [], 'member'));
};

const MISSING_BODY = {
  field: 'body',
  constraint: 'required',
  description: 'body is missing.',
  advice: 'Add it.',
};

const serve =
  (operation: ControlOperation, callControl: CallControl, calls: CallsUnderWay): RequestHandler =>
  async (request, response) => {
    const { params: path, query, body = {}, headers } = request;
    const signal = calls.open(request.socket, response);
    // The input was checked against the very document that its type comes from.
    const answer = await callControl(operation.operationId, { path, query, body }, { headers, signal });
    await send(response, answer, signal);
  };

interface CallsUnderWay {
  /** @returns what aborts when the client goes away, or when the server closes */
  open(socket: Socket, response: Response): AbortSignal;
  close(): void;
}

/** `AbortSignal.any` would keep a trace of every call that there ever was. */
const createCallsUnderWay = (): CallsUnderWay => {
  const calls = new Set<AbortController>();
  let isClosed = false;
  return {
    open: (socket, response) => {
      const call = new node.AbortController();
      const end = (): void => {
        calls.delete(call);
        socket.off('close', end);
        call.abort();
      };
      calls.add(call);
      response.once('close', end);
      // A response that waits behind another one of its connection gets no event when that closes.
      socket.setMaxListeners(0).once('close', end);
      if (isClosed || socket.destroyed) end();
      return call.signal;
    },
    close: () => {
      isClosed = true;
      for (const call of calls) call.abort();
    },
  };
};

const send = async (response: Response, answer: AnyAnswer, signal: AbortSignal): Promise<void> => {
  if ('stream' in answer) streamEvents(response, answer.stream, signal);
  else if ('pieces' in answer) {
    response.status(answer.status).type(answer.contentType ?? 'json');
    await sendPieces(response, answer.pieces, signal);
  } else if ('text' in answer) response.status(answer.status).type(answer.contentType).send(answer.text);
  else if ('location' in answer) response.redirect(answer.status, answer.location);
  else sendJson(response, answer.status, answer.body);
};
