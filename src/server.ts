/** The composition root: a contract and environments become one app, which a listener or an in-process call can use. */
import { join } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import { createConsole } from './console/console.ts';
import { type ControlOptions, createControlPlane } from './control/control-plane.ts';
import type { Environments } from './environments/environments.ts';
import { createApiPlane } from './http/api.ts';
import { createContractPages } from './http/contract-pages.ts';
import { createMessageClasses, type MessageClasses } from './http/messages.ts';
import type { ResponseValidation } from './http/reply-check.ts';
import type { Contract } from './openapi/load.ts';
import { packageRoot } from './openapi/package-root.ts';
import { createHostedPages } from './pages/pages.ts';

export interface ServerOptions {
  readonly environments: Environments;
  readonly contract: Contract;
  readonly validateResponses: ResponseValidation;
  readonly control: Pick<ControlOptions, 'scenarios' | 'version' | 'controlToken' | 'host'>;
  /** Told of every reply that breaks the contract. */
  readonly onReplyViolation: (
    request: { readonly method: string; readonly url: string },
    error: unknown,
  ) => void;
  /** Told of every fault of the mock itself, which a client sees as a plain 500. */
  readonly onFault: (error: unknown) => void;
}

/** Everything that answers requests, and the message classes that it is fastest with. */
export interface Server {
  readonly app: Express;
  readonly messages: MessageClasses;
  /** Ends what would keep a connection open: streams, and calls that wait. */
  close(): void;
}

/** Mounts every plane. Nothing listens yet. */
export const createServer = (options: ServerOptions): Server => {
  const { contract, environments, onFault } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const api = createApiPlane(options);
  app.use(forPathsOf(contract, api));
  app.use(createContractPages(contract));
  const control = createControlPlane({
    ...options.control,
    environments,
    onFault,
  });
  app.use(createConsole(join(packageRoot(), 'src/console/public')));
  app.use('/_mock', control.handler);
  app.get('/', welcomeBrowser);
  app.use(createHostedPages(options));
  app.use(api);
  return { app, messages: createMessageClasses(app), close: control.close };
};

/**
 * Lets a handler look first at paths that begin as one of the contract does: nobody else has such, and the calls that
 * matter need not be held against every other plane's paths. What it is not shown here it gets in the end.
 */
const forPathsOf = ({ operations }: Contract, handler: RequestHandler): RequestHandler => {
  const beginnings = new Set(operations.map(({ path }) => beginningOf(path)));
  return (request, response, next) => {
    if (beginnings.has(beginningOf(request.url))) handler(request, response, next);
    else next();
  };
};

/** The first segment of a path. */
const beginningOf = (url: string): string => /^\/[^/?]*/.exec(url)?.[0] ?? '';

/** Who opens the bare address in a browser wants the console; for a client of the API it is an unknown path. */
const welcomeBrowser: RequestHandler = ({ headers, baseUrl }, response, next) => {
  if (headers.accept?.includes('text/html')) response.redirect(`${baseUrl}/_mock/`);
  else next();
};
