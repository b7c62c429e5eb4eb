/** The composition root: contract, scenario and clock make a world; the planes serve it. Listens where it is told. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { loadContract } from './contract/load.ts';
import { createSurfaces } from './contract/surface.ts';
import type { Scenario } from './domain/blueprint.ts';
import { createApiPlane } from './http/api.ts';
import { createContractPages } from './http/contract-pages.ts';
import { createMessageClasses, type MessageClasses } from './http/messages.ts';
import type { ResponseValidation } from './http/validator.ts';
import { createWorld, type World } from './world/world.ts';

export interface MockOptions {
  readonly scenario: Scenario;
  /** Address as clients see it; default: the one it listens on. */
  readonly baseUrl?: string | undefined;
  readonly validateResponses?: ResponseValidation | undefined;
  readonly controlToken?: string | undefined;
  readonly log: Log;
}

/** What the server has to say about itself. */
export interface Log {
  /** A reply of ours that breaks the contract (`--validate-responses`). */
  replyViolation(request: { readonly method: string; readonly url: string }, error: unknown): void;
  /** A fault of the mock itself, answered as a plain 500. */
  fault(error: unknown): void;
}

export interface Mock {
  readonly world: World;
  readonly app: Express;
  readonly messages: MessageClasses;
}

/** The default address of a mock that does not listen. */
const IN_PROCESS_URL = 'http://mock.local';

/** Everything but a listening port. @throws ContractError if the contract cannot be served */
export const createMock = ({ scenario, baseUrl, validateResponses = 'report', log }: MockOptions): Mock => {
  const contract = loadContract();
  const world = createWorld(scenario, baseUrl ?? IN_PROCESS_URL, createSurfaces(contract));
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(createContractPages(contract));
  app.use(
    createApiPlane({
      world,
      contract,
      validateResponses,
      onReplyViolation: log.replyViolation,
      onFault: log.fault,
    }),
  );
  return { world, app, messages: createMessageClasses(app) };
};

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** Kept as it is if given; else the address found becomes the world's. */
  readonly baseUrl?: string | undefined;
}

export interface Listening {
  /** Where it listens, as `http://HOST:PORT`. */
  readonly url: string;
  /** Requests under way finish, for five seconds at most; then nothing is left open. */
  close(): Promise<void>;
}

/** Listens, and answers the first request before it says so. @throws what the socket said, such as EADDRINUSE */
export const listen = async ({ world, app, messages }: Mock, options: ListenOptions): Promise<Listening> => {
  const { tlsCert, tlsKey, host, port } = options;
  const isTls = tlsCert !== undefined && tlsKey !== undefined;
  const server = isTls
    ? createHttpsServer({ ...messages, cert: readFileSync(tlsCert), key: readFileSync(tlsKey) }, app)
    : createHttpServer(messages, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const url = `${isTls ? 'https' : 'http'}://${nameOf(host)}:${portOf(server)}`;
  world.baseUrl = options.baseUrl ?? url;
  return { url, close: () => closeServer(server) };
};

/** A wildcard address is no name that a client can call. */
const nameOf = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port; // it listens on TCP

const GRACE = 5_000;

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), GRACE);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
