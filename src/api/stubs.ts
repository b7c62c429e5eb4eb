/** Stubs: they answer calls that the contract does not have, each in its environment (behaviour X4). */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestHandler, Router } from 'express';
import { allRows } from '../core/table.ts';
import type { StubRow } from '../domain/rows.ts';
import { findStub } from '../domain/stub.ts';
import { callOf, sendText } from './call.ts';

/** @param steps what a call goes through before its stub answers; `authenticate` only where the stub asks for it */
export const answerStubs = (authenticate: RequestHandler, steps: readonly RequestHandler[]): Router => {
  const router = Router();
  router.use(findItsStub, (request, response, next) =>
    stubOf(response.locals).auth ? authenticate(request, response, next) : next(),
  );
  return router.use(...steps, answer);
};

/** Without a matching stub, the call leaves the router. */
const findItsStub: RequestHandler = ({ method, path }, response, next) => {
  const call = callOf(response);
  const stub = findStub(allRows(call.environment.current.data.stubs), method, path);
  if (!stub) return next('router');
  response.locals.stub = stub;
  call.stub = `${stub.method} ${stub.path}`;
  next();
};

const stubOf = (locals: { readonly stub?: StubRow }): StubRow => {
  if (!locals.stub) throw new Error('No stub was found for this call.');
  return locals.stub;
};

const answer: RequestHandler = async (_request, response) => {
  const { status, headers, body, delay_ms } = stubOf(response.locals);
  if (delay_ms > 0) await sleep(delay_ms);
  response.status(status).type('json').set(headers);
  const isJson = String(response.getHeader('Content-Type')).includes('json');
  sendText(response, typeof body === 'string' && !isJson ? body : JSON.stringify(body));
};
