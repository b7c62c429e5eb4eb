/** What answers calls instead of an operation: rate limit, fault, header `Prefer`, stub (behaviour T4, X2, X4-X6). */
import type { Request, RequestHandler } from 'express';
import { refusesBody } from '../contract/refused-body.ts';
import { formatDuration } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { parseJson } from '../core/object.ts';
import { allRows } from '../core/table.ts';
import { preferredError } from '../environments/faults.ts';
import { kindOfBody, parseBody } from '../environments/masking.ts';
import { readPreference } from '../environments/mock-headers.ts';
import { createByteReader } from '../http/body.ts';
import { leavingOf } from '../http/event-stream.ts';
import { rawQuery } from '../http/spelling.ts';
import { play, refusalOf } from '../stubs/play.ts';
import { findStubs, type StubRow, stubName, stubsOfPath } from '../stubs/stub.ts';
import { type Call, callAt, requireSameWorld, sendReply } from './call.ts';

/**
 * Ends a call without its operation, if rate limit, fault or `Prefer` require that. @throws Refusal if they refuse it
 * @param operation the operationId, or the method and path of a stub
 */
export const answerInstead = async (call: Call, operation: string): Promise<void> => {
  requireRate(call);
  const { environment, clientId: client_id, request, response, body } = call;
  const query = rawQuery(request);
  const effect = environment.effectOn({ operation, client_id, path: request.path, query, body });
  if (!effect) return requireNoPreference(request, operation);
  const { fault, delayMs, abort, instead } = effect;
  call.fault = fault;
  if (delayMs > 0) await environment.delay(delayMs, leavingOf(response));
  call.losesReply = abort === 'after';
  if (abort && !call.losesReply) {
    request.socket.destroy();
    call.reason = `connection cut by ${fault}, before anything happened`;
    call.reply = { status: 500, text: '' }; // never sent, since the connection is cut
    return;
  }
  if (instead instanceof Refusal) throw instead;
  if (instead) call.reply = instead;
  else requireSameWorld(call);
};

const requireNoPreference = (request: Request, operation: string): void => {
  const { prefer } = request.headers;
  const preference = prefer === undefined ? undefined : readPreference(String(prefer));
  if (preference && 'status' in preference) throw preferredError(preference.status, operation);
};

const requireRate = ({ environment, clientId, request }: Call): void => {
  const { clock, settings } = environment.current;
  if (!settings.rate_limit) return;
  // Requests with a fixed bearer string have no client, so each such string has its own limit.
  const client = clientId ?? request.headers.authorization ?? '';
  const wait = environment.rateLimiter.take(client, settings.rate_limit, clock);
  if (wait === undefined) return;
  const { requests, per } = settings.rate_limit;
  throw new Refusal(
    'RATE_LIMITED',
    `One client sent more than ${requests} requests in ${formatDuration(per)}.`,
    `Wait ${wait} s and call again.`,
    { guide: 'flags#rate-limit', headers: { 'Retry-After': String(wait) } },
  );
};

/** Answers calls that match no operation but a stub. */
export const answerStub = (bodyLimit: number): RequestHandler => {
  const readBytes = createByteReader(bodyLimit);
  return async (request, response, next) => {
    const call = callAt(response);
    const ofPath = ofPathOf(call);
    if (ofPath.length === 0) return next();
    if (call.refusal && ofPath.every(({ auth }) => auth)) throw call.refusal;
    call.bodyText = String(await readBytes(request, response));
    call.body = bodyOf(call.bodyText, request);
    const chosen = chooseStub(ofPath, call);
    if (!chosen) return next();
    const { stub, refusal } = chosen;
    call.stub = stubName(stub);
    if (call.refusal && stub.auth) throw call.refusal;
    await answerInstead(call, `${stub.method} ${stub.path}`);
    if (refusal && !call.reply) throw refusal;
    if (!call.reply) await play(call, stub);
    sendReply(call);
  };
};

/** Ends a call whose body the contract refuses, if a stub answers it. */
export const answerByStub = async (call: Call): Promise<void> => {
  const { operation, environment } = call;
  // A name or a `/*` in a path can stand for an operation too, which no other stub may answer (behaviour X4).
  const ofPath = ofPathOf(call).filter(
    ({ match }) => operation && refusesBody(environment.service.contract, operation, match?.body),
  );
  const chosen = chooseStub(ofPath, call);
  if (!chosen) return;
  call.stub = stubName(chosen.stub);
  if (chosen.refusal) throw chosen.refusal;
  await play(call, chosen.stub);
};

/** The first stub for the call whose needs are live; if no stub's are, the first one with its refusal (behaviour X6). */
const chooseStub = (ofPath: readonly StubRow[], call: Call) => {
  if (ofPath.length === 0) return undefined; // most environments have no stubs
  const { path, headers } = call.request;
  const sent = { path, headers, query: rawQuery(call.request), body: call.body };
  const found = findStubs(ofPath, sent).map((stub) => ({ stub, refusal: refusalOf(stub, call) }));
  return found.find(({ refusal }) => !refusal) ?? found[0];
};

const ofPathOf = ({ environment, request }: Call): readonly StubRow[] => {
  const { stubs } = environment.current.data;
  return stubs.rows.isEmpty ? [] : stubsOfPath(allRows(stubs), request);
};

/** Programs such as curl call JSON a form, so a text that is JSON counts as JSON. */
const bodyOf = (text: string, { headers }: Request): unknown =>
  parseJson(text) ?? parseBody(text, kindOfBody(headers['content-type']));
