/** Answers calls that match no operation of the contract with the stubs of their environment (behaviour X4). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { parseJson } from '../core/object.ts';
import { allRows } from '../core/table.ts';
import type { StubRow } from '../domain/rows.ts';
import { createByteReader } from '../http/body.ts';
import { requireToken } from './authenticate.ts';
import { callOf, grow, type Reply, sendReply } from './call.ts';
import { answerInstead } from './limits-and-faults.ts';

/** Answers a call with a stub. Accepts any body, and parses JSON for faults that compare bodies. */
export const answerStub = (bodyLimit: number): RequestHandler => {
  const readBytes = createByteReader(bodyLimit);
  return async (request, response, next) => {
    const { stubs } = callOf(response).environment.current.data;
    const method = request.method === 'HEAD' ? 'GET' : request.method; // a stub for GET also answers HEAD
    const stub = Array.from(allRows(stubs)).find(
      (row) => row.method === method && patternOf(row).test(request.path),
    );
    if (!stub) return next();
    const name = `${stub.method} ${stub.path}`;
    const call = grow(callOf(response), { stub: name });
    if (stub.auth) requireToken(call);
    const bodyText = String(await readBytes(request, response));
    const sent = grow(call, { bodyText, body: parseJson(bodyText) });
    sendReply(call, (await answerInstead(sent, name)) ?? (await replyOf(stub)));
  };
};

const replyOf = async ({ status, headers, body, delay_ms }: StubRow): Promise<Reply> => {
  if (delay_ms > 0) await sleep(delay_ms);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'json';
  const text = typeof body === 'string' && !type.includes('json') ? body : JSON.stringify(body);
  return { status, headers, text };
};

/** `{name}` matches one segment, and `/*` at the end matches the rest of the path. */
const patternOf = ({ path }: StubRow): RegExp => {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(/\{[^/{}]+\}/g, '[^/]+').replace(/\/\\\*$/, '/.*')}$`);
};
