/** Mocks of this process: with a port that they listen on, or without. */
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import { findCall } from '../api/call.ts';
import { type Listener, listen } from '../http/listener.ts';
import { assemble, type Parts } from './assemble.ts';
import { createLocalMock } from './local-mock.ts';
import type { Mock, MockApp } from './mock.ts';
import { DEFAULTS, type MockOptions, type StartOptions } from './options.ts';
import { requireMockOptions, requireStartOptions } from './requirements.ts';

/** Milliseconds that calls under way have when the mock closes. */
const GRACE = 5_000;

/**
 * The same as `startMock` without a listening port: `mock.fetch` only.
 * @throws ScenarioError for a scenario that is wrong, naming every fault; TypeError for an option that is
 */
export const createMock = (options: MockOptions = {}): Mock => {
  requireMockOptions(options);
  return toMock(assemble(options));
};

/**
 * Starts a mock that listens. Resolves when the first call will be answered.
 * @throws ScenarioError for a scenario that is wrong, naming every fault; TypeError for an option that is; Error for an
 * address that cannot be listened on, or that other machines can reach while there is no control token
 */
export const startMock = async (options: StartOptions = {}): Promise<Mock> => {
  requireStartOptions(options);
  const parts = assemble(options);
  try {
    const listener = await open(parts, options);
    if (options.baseUrl === undefined) parts.environments.baseUrl = listener.url;
    return toMock(parts, listener);
  } catch (error) {
    parts.stop();
    parts.save();
    throw error;
  }
};

const open = async (parts: Parts, options: StartOptions): Promise<Listener> => {
  const { port = DEFAULTS.port, host = DEFAULTS.host, tlsCert, tlsKey, grpcDescriptors = [] } = options;
  const { app, messages } = parts.server;
  const grpc = grpcDescriptors.length > 0 ? await openGrpc(parts, grpcDescriptors) : undefined;
  return listen(grpc ? grpc.before(app) : app, messages, {
    port,
    host,
    http2: grpc?.http2,
    ...(tlsCert !== undefined && tlsKey !== undefined && { tls: { cert: tlsCert, key: tlsKey } }),
  });
};

/** Loaded by those alone who ask for it: it is as much code as all the rest. */
const openGrpc = async ({ server, inProcess, ...parts }: Parts, descriptors: readonly string[]) => {
  const { createGrpc } = await import('../grpc/serve.ts');
  // The app has made it one of Express.
  const bodyOf = (response: ServerResponse): string => findCall(response as Response)?.answerText ?? '';
  return createGrpc({ ...parts, ...server, bodyOf, fetch: inProcess.fetch, descriptors });
};

const toMock = (
  { environments, server, inProcess, callControl, stop, save }: Parts,
  listener?: Listener,
): Mock =>
  createLocalMock({
    environments,
    call: callControl,
    url: listener?.url ?? environments.baseUrl,
    app: server.app as unknown as MockApp, // only node and Express call it, with their own requests
    fetch: inProcess.fetch,
    close: async () => {
      stop();
      await Promise.all([inProcess.close(GRACE), listener?.close()]);
      save();
    },
  });
