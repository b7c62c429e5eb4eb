/**
 * Answers calls without running an operation. The reason can be the rate limit, an injected fault, the `Prefer` header of
 * the client, or a stub of the environment (behaviour T4, X2, X4-X6).
 */

import type { Request, RequestHandler } from 'express';
import { isSecretMember } from '../contract/marks.ts';
import { refusesBody } from '../contract/refused-body.ts';
import { formatDuration } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { hasMembers, parseJson } from '../core/object.ts';
import { allRows } from '../core/table.ts';
import { preferredError, readPreference, type SentReply } from '../environments/instead.ts';
import { kindOfBody, parseBody } from '../environments/masking.ts';
import { createByteReader } from '../http/body.ts';
import type { Delay } from '../http/delays.ts';
import { rawQuery } from '../http/spelling.ts';
import { play, refusalOf, stubCallOf } from '../stubs/play.ts';
import type { StubRow } from '../stubs/stub.ts';
import { findStubs, stubName, stubsOfPath } from '../stubs/stub.ts';
import { requireToken } from './authenticate.ts';
import { type Call, callOf, requireSameWorld, sendReply } from './call.ts';

/**
 * Ends a call without its operation, if the rate limit, a fault or the `Prefer` header requires that.
 * @param operation the operationId, or the method and path of a stub
 * @throws Refusal if the rate limit, a fault or the `Prefer` header refuses the call
 */
export const answerInstead = async (call: Call, operation: string, delay: Delay): Promise<void> => {
  requireRate(call);
  const { environment, clientId: client_id, request, response, body } = call;
  const query = rawQuery(request);
  const effect = environment.faults.effectOn({ operation, client_id, path: request.path, query, body });
  if (!effect) return requireNoPreference(request, operation);
  const { fault, delayMs, abort, instead } = effect;
  call.fault = fault;
  if (delayMs > 0) await delay(response, delayMs);
  call.losesReply = abort === 'after';
  if (abort && !call.losesReply) {
    request.socket.destroy();
    call.reason = `connection cut by ${fault}, before anything happened`;
    return call.end(NONE);
  }
  if (instead instanceof Refusal) throw instead;
  if (instead) call.end(instead);
  else requireSameWorld(call);
};

/** A reply that is never sent, since a fault cut the connection. */
const NONE: SentReply = { status: 500, text: '' };

/** Refuses a call with the status that the client prefers (`Prefer: code=503`). @throws Refusal */
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
export const answerStub = (bodyLimit: number, delay: Delay): RequestHandler => {
  const readBytes = createByteReader(bodyLimit);
  return async (request, response, next) => {
    const call = callOf(response);
    const ofPath = ofPathOf(call);
    if (ofPath.length === 0) return next();
    if (ofPath.every(({ auth }) => auth)) requireToken(call);
    call.bodyText = String(await readBytes(request, response));
    call.body = bodyOf(call.bodyText, request);
    const chosen = chooseStub(ofPath, call);
    if (!chosen) return next();
    const { stub, refusal } = chosen;
    call.stub = stubName(stub);
    if (stub.auth) requireToken(call);
    await answerInstead(call, `${stub.method} ${stub.path}`, delay);
    if (refusal && !call.reply) throw refusal;
    if (!call.reply) await play(call, stub, delay);
    sendReply(call);
  };
};

/** Ends a call whose body the contract refuses, if a stub answers it. */
export const answerByStub = async (call: Call, delay: Delay): Promise<void> => {
  const { operation, environment } = call;
  // A name or a `/*` in a path can stand for an operation too, which no other stub may answer (behaviour X4).
  const ofPath = ofPathOf(call).filter(
    ({ match }) => operation && refusesBody(environment.service.contract, operation, match?.body),
  );
  const chosen = chooseStub(ofPath, call);
  if (!chosen) return;
  call.stub = stubName(chosen.stub);
  if (chosen.refusal) throw chosen.refusal;
  await play(call, chosen.stub, delay);
};

/** The first stub for the call whose needs are live; if no stub's are, the first one with its refusal (behaviour X6). */
const chooseStub = (ofPath: readonly StubRow[], call: Call) => {
  if (ofPath.length === 0) return undefined; // most environments have no stubs
  const found = findStubs(ofPath, stubCallOf(call)).map((stub) => ({ stub, refusal: refusalOf(stub, call) }));
  return found.find(({ refusal }) => !refusal) ?? found[0];
};

const ofPathOf = ({ environment, request }: Call): readonly StubRow[] => {
  const { stubs } = environment.current.data;
  return stubs.rows.isEmpty ? [] : stubsOfPath(allRows(stubs), request);
};

/** Programs such as curl call JSON a form, so a text that is JSON counts as JSON. */
const bodyOf = (text: string, { headers }: Request): unknown =>
  parseJson(text) ?? parseBody(text, kindOfBody(headers['content-type']));

/** What sets a call apart from those that other stubs of its path answer; undefined if its path has no stub. */
export const matchToWrite = (call: Call): object | undefined => {
  if (ofPathOf(call).length === 0) return undefined;
  const { query, body } = stubCallOf(call);
  const [ofBody, ofQuery] = [tellingMembers(Object(body)), tellingMembers(Object.fromEntries(query))];
  if (hasMembers(ofBody)) return { body: ofBody };
  return hasMembers(ofQuery) ? { query: ofQuery } : undefined;
};

const MOST_TELLING = 3;

/** Short values that are not credentials. */
const tellingMembers = (sent: object): object => {
  const telling = Object.entries(sent).filter(
    ([name, value]) => /^(?:string|number|boolean)$/.test(typeof value) && isShowable(name, String(value)),
  );
  return Object.fromEntries(telling.slice(0, MOST_TELLING));
};

const isShowable = (name: string, text: string): boolean => text.length <= 60 && !isSecretMember(name);
