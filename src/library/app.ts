/** Builds the Express app of a mock from its contract and environments. The app does not listen yet. */
import { join } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import { readConsoleCalls } from '../console/calls/index.ts';
import { mountConsole } from '../console/console.ts';
import { type ApiOptions, createApiPlane } from '../engine/api/plane.ts';
import { type LoggedCall, recordCalls } from '../engine/api/recording.ts';
import { packageRoot } from '../engine/contract/package-root.ts';
import { type ControlOptions, createControlPlane } from '../engine/control/control-plane.ts';
import { createMessageClasses } from '../engine/http/in-process.ts';
import { mountHostedPages } from '../engine/pages/pages.ts';
import { copyAsTests } from './copied-test.ts';

interface AppOptions extends ApiOptions, ControlOptions {
  readonly logCall?: ((entry: LoggedCall) => void) | undefined;
}

const OF_API = /^\/(?:api|oauth|keys|\.well-known)(?:\/|$)/;

/** @returns the app, and the request and response classes with which a server runs the app fastest */
export const createApp = (options: AppOptions) => {
  const { environments } = options;
  const onReplyViolation: AppOptions['onReplyViolation'] = (request, error) => {
    environments.replyViolations += 1; // `GET /_mock/health` shows this number
    options.onReplyViolation(request, error);
  };
  const validated = { ...options, onReplyViolation };
  const app = express();
  app.set('case sensitive routing', true).set('strict routing', true);
  app.disable('x-powered-by').disable('etag');
  app.use(recordCalls(options.logCall, () => environments.baseUrl));
  const basePath = new URL(environments.baseUrl).pathname.replace(/\/$/, '');
  if (basePath !== '') app.use(stripBasePath(basePath));
  const api = createApiPlane(validated);
  // API calls go to the API directly, because trying the other routes first would slow them down.
  app.use((request, response, next) => (OF_API.test(request.path) ? api(request, response, next) : next()));
  // The app itself gets the console's routes, because a separate router would delay every other call.
  mountConsole(app, join(packageRoot(), 'src/console/public'), basePath);
  app.use('/_mock', createControlPlane(validated, readConsoleCalls(copyAsTests)));
  app.get('/', ({ baseUrl }, response) => response.redirect(`${baseUrl || basePath}/_mock/`));
  mountContractPages(app, options);
  mountHostedPages(app, options.environments, options.onInternalError);
  app.use(api);
  return { app, messages: createMessageClasses(app) };
};

/** Takes the path of the base URL off the path of a request, for clients whose proxy leaves it there. */
const stripBasePath =
  (basePath: string): RequestHandler =>
  (request, _response, next) => {
    const rest = request.url.startsWith(basePath) ? request.url.slice(basePath.length) : undefined;
    if (rest !== undefined && /^(?:[/?]|$)/.test(rest)) request.url = rest.replace(/^(?!\/)/, '/');
    next();
  };

/** Serves the contract with the running mock's address in place of the address in the document (behaviour T11). */
const mountContractPages = (app: Express, { contract: { document }, environments }: AppOptions): void => {
  const { url: documented = '' } = document.servers[0] ?? {};
  const serve = (path: string, type: string, readText: () => string): void => {
    app.get(path, (_request, response) => {
      response.set('Access-Control-Allow-Origin', '*');
      response.type(type).send(readText().replaceAll(documented, environments.baseUrl));
    });
  };
  serve('/openapi.yaml', 'application/yaml; charset=utf-8', environments.service.contractText);
  serve('/openapi.json', 'json', () => JSON.stringify(document));
};
