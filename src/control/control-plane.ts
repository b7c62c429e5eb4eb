/** The control plane: guard, match, check, handle, reply. What it needs is read when the first call comes. */
import { setMaxListeners } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { monotonicNow } from '../core/clock.ts';
import type { Environment } from '../environments/environment.ts';
import { readBody } from './body.ts';
import { type ControlDocument, loadControlDocument, type Match, matchCall } from './document.ts';
import { isForeseen, toErrorReply } from './errors.ts';
import { streamEvents } from './event-stream.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { handlers } from './handlers/index.ts';
import { findNamed } from './handlers/lookup.ts';
import { sendPieces } from './pieces.ts';
import { readQuery } from './query.ts';
import type { AnyAnswer, Context, Scenarios } from './types.ts';
import { type Check, createCheck, type RawInput } from './validation.ts';

export interface ControlOptions
  extends Pick<Context, 'environments' | 'version'>,
    Pick<GuardOptions, 'controlToken' | 'host'> {
  readonly scenarios: Scenarios;
  /** Told of every fault of the mock itself, which a caller sees as a plain 500. */
  readonly onFault: (error: unknown) => void;
}

export interface ControlPlane {
  /** To be mounted at `/_mock`. */
  readonly handler: RequestHandler;
  /** Ends streams and waits, so that the server can close. */
  close(): void;
}

export const createControlPlane = (options: ControlOptions): ControlPlane => {
  const { environments, scenarios, version, controlToken, host } = options;
  const startedAt = monotonicNow();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every call under way waits for it
  const guard = createGuard({ controlToken, host, baseUrl: () => environments.baseUrl });
  const tools = lazyTools();
  const context = {
    environments,
    scenarios,
    version,
    uptime: () => (monotonicNow() - startedAt) / 1_000,
  };
  const serve = async (request: Request, response: Response): Promise<void> => {
    guard(request);
    const { document, check } = tools();
    const [path = '', query = ''] = request.url.split(/\?(.*)/s);
    const match = matchCall(document, request.method, path);
    const input = check(match.operation, {
      path: match.path,
      query: readQuery(query, match.operation.method === 'GET'),
      body: await readBody(request, response),
    });
    const signal = signalOf(response, closing.signal);
    const given = { ...context, headers: request.headers, signal };
    const changed = environmentOf(match, given);
    await reply(response, await act(match, input, given), signal);
    changed?.events.announce(match.operation.id);
  };
  return {
    handler: (request, response) => {
      serve(request, response).catch((error: unknown) => {
        if (!isForeseen(error)) options.onFault(error);
        replyError(response, error);
      });
    },
    close: () => closing.abort(),
  };
};

/** Document and validators, made at the first call. */
const lazyTools = (): (() => { readonly document: ControlDocument; readonly check: Check }) => {
  let made: { document: ControlDocument; check: Check } | undefined;
  return () => {
    if (!made) {
      const document = loadControlDocument();
      made = { document, check: createCheck(document.document) };
    }
    return made;
  };
};

const act = async ({ operation }: Match, input: RawInput, context: Context): Promise<AnyAnswer> => {
  // The input was checked against the very document that the handlers' types come from.
  const handle = handlers[operation.id] as unknown as (
    input: RawInput,
    context: Context,
  ) => AnyAnswer | Promise<AnyAnswer>;
  return handle(input, context);
};

/**
 * The environment that a call may change in a way that no event tells of, so that whoever follows it learns of the call.
 * Looked for before the call, which may drop it.
 */
const environmentOf = ({ operation, path: { env } }: Match, context: Context): Environment | undefined =>
  operation.method === 'GET' || env === undefined ? undefined : findNamed(context, env);

/** Aborts when the client goes away, or when the server closes. */
const signalOf = (response: Response, closing: AbortSignal): AbortSignal => {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  if (closing.aborted) abort();
  closing.addEventListener('abort', abort);
  response.once('close', () => {
    closing.removeEventListener('abort', abort);
    abort();
  });
  return gone.signal;
};

const reply = async (response: Response, answer: AnyAnswer, signal: AbortSignal): Promise<void> => {
  if ('stream' in answer) return streamEvents(response, answer.stream, signal);
  if ('text' in answer)
    return send(response, answer.status, `${answer.contentType}; charset=utf-8`, answer.text);
  if ('pieces' in answer) {
    setHeaders(response, answer.status, JSON_TYPE);
    return sendPieces(response, answer.pieces, signal);
  }
  send(response, answer.status, JSON_TYPE, JSON.stringify(answer.body));
};

const JSON_TYPE = 'application/json; charset=utf-8';

const replyError = (response: Response, error: unknown): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = toErrorReply(error);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  send(response, status, JSON_TYPE, JSON.stringify(body));
};

/** The coverage page brings its own style, and needs nothing else. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const send = (response: Response, status: number, contentType: string, text: string): void => {
  setHeaders(response, status, contentType);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
};

/** What a control call answers is true at that instant only, and is not to be framed or guessed at. */
const setHeaders = (response: Response, status: number, contentType: string): void => {
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', POLICY);
};
