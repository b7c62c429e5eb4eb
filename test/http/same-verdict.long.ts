/**
 * Requests and replies are checked by express-openapi-validator over a part of the contract that is made for it. Its own
 * middleware over the whole document, with the same options, must give the same verdict, in the same words, and hand on the
 * same values. Some thousands of requests and replies are made from the schemas of both contracts.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import fc from 'fast-check';
import { loadControlContract } from '../../src/control/document.ts';
import { mountContract } from '../../src/http/plane.ts';
import { createValidate, packageOptions, sendJson } from '../../src/http/validate.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  lookUpReference,
  type ParameterObject,
} from '../../src/openapi/document.ts';
import { type Contract, type ContractOperation, loadContract } from '../../src/openapi/load.ts';
import { bodyOf } from '../../src/openapi/members.ts';
import { goodValue, wrongValue } from './from-schema.ts';

/** Of each, for every operation. */
const REQUESTS = 25;
const REPLIES = 15;
/** Fixed, so that what fails once can be looked at again. */
const SEED = 20_260_301;

const OPTIONS = { validateResponses: 'on', onReplyViolation: () => {} } as const;

interface Sent {
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly body?: Json | undefined;
  /** What the operation is to answer; default: what it was given, with a status that no reply is described for. */
  readonly reply?: { readonly status: number; readonly body: Json };
}

/** What the operation is to answer, if the test says so. */
const replyWanted = (headers: IncomingHttpHeaders): { status: number; body: unknown } | undefined => {
  const wanted = headers['x-reply'];
  return wanted === undefined ? undefined : JSON.parse(decodeURIComponent(String(wanted)));
};

/** Shows what an operation is given: parameters with their types, and defaults filled in. */
const answer: RequestHandler = (request, response) => {
  const { query, body, headers } = request;
  const { pathParams } = (request as { openapi?: { pathParams?: unknown } }).openapi ?? {};
  const wanted = replyWanted(headers);
  if (wanted) response.status(wanted.status).json(wanted.body);
  else response.send(JSON.stringify({ given: { pathParams, query, body } }));
};

/** The status alone: our messages are our own. */
const answerError: ErrorRequestHandler = ({ status = 599 }, _request, response, _next) => {
  response.status(status).send('{}');
};

const PARSERS = [express.json({ strict: false }), express.urlencoded()];

const createApp = (): Express => {
  const app = express();
  app.set('case sensitive routing', true).set('strict routing', true);
  return app;
};

/** As the planes of the mock do it. */
const ourApp = <Id extends string>(contract: Contract<Id>, prefix: string): Express => {
  const answerAs = (operation: ContractOperation<string>): RequestHandler => {
    const validate = createValidate(contract, operation, OPTIONS);
    return async ({ method, url, query, body, headers, ...request }, response) => {
      const sent = { query: query as Record<string, string>, body, problems: [] };
      const { path, ...input } = await validate({ method, url, ...request } as Request, response, sent);
      const wanted = replyWanted(headers);
      if (wanted) sendJson(response, wanted.status, wanted.body);
      else response.send(JSON.stringify({ given: { pathParams: path, ...input } }));
    };
  };
  return createApp().use(
    prefix,
    mountContract({
      contract,
      prefix: '',
      listedIn: '',
      otherwise: [],
      wrongMethod: { code: 'UNIMPLEMENTED', always: [] },
      before: [...PARSERS],
      answer: answerAs,
      present: ({ httpStatus: status }) => ({ status, body: {} }),
      send: (response, { status }) => void response.status(status).send('{}'),
      onInternalError: () => {},
    }),
  );
};

/** As the README of the package does it; a reserved character in a query is no mistake here either (behaviour T7). */
const plainApp = ({ document }: Contract<string>): Express => {
  const whole = JSON.parse(
    JSON.stringify(document).replaceAll('"in":"query"', '"in":"query","allowReserved":true'),
  );
  const options = {
    ...packageOptions(whole, OPTIONS),
    $refParser: { mode: 'bundle' as const },
    useRequestUrl: false,
  };
  return createApp().use(...PARSERS, middleware(options), answer, answerError, answerError);
};

const listen = (app: Express): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer(app).listen(0, '127.0.0.1', () => resolve(server));
  });

const send = async (server: Server, plane: Plane, operation: ContractOperation<string>, sent: Sent) => {
  const { port } = server.address() as AddressInfo;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(sent.path[name] ?? ''),
  );
  const query = sent.query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  const kind = bodyOf(plane.contract.document, operation.definition)?.kind;
  const isForm = kind?.includes('form');
  const response = await fetch(`http://127.0.0.1:${port}${plane.prefix}${path}?${query}`, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(kind && { 'content-type': kind }),
      ...(sent.reply && { 'x-reply': encodeURIComponent(JSON.stringify(sent.reply)) }),
    },
    ...(sent.body !== undefined && { body: isForm ? toForm(sent.body) : JSON.stringify(sent.body) }),
  });
  return { status: response.status, answer: JSON.parse(await response.text()) as unknown };
};

const toForm = (body: Json): URLSearchParams =>
  new URLSearchParams(
    Object.entries(isJsonObject(body) ? body : {}).map(([name, value]): [string, string] => [
      name,
      toText(value),
    ]),
  );

type Make = (document: Contract<string>['document'], schema: JsonObject) => fc.Arbitrary<Json>;

/** A good request, except for the part that `wrong` names: a parameter, or `body`. */
const requestOf = (
  { document }: Contract<string>,
  { parameters, definition }: ContractOperation<string>,
  wrong?: string,
): fc.Arbitrary<Sent> => {
  const make = ({ name, schema = {} }: ParameterObject): fc.Arbitrary<Json> =>
    (name === wrong ? (wrongValue as Make) : goodValue)(document, schema);
  const path = parameters.filter((one) => one.in === 'path');
  const query = parameters.filter((one) => one.in === 'query');
  const described = bodyOf(document, definition);
  const body = described
    ? (wrong === 'body' ? wrongValue : goodValue)(document, described.schema)
    : fc.constant(undefined);
  const required = query.filter((one) => one.required && one.name !== wrong).map(({ name }) => name);
  return fc.record({
    path: fc
      .record(Object.fromEntries(path.map((one) => [one.name, make(one).map(toText).filter(isSegment)])))
      .map((values) => values as Record<string, string>),
    query: fc
      .record(Object.fromEntries(query.map((one) => [one.name, make(one)])), { requiredKeys: required })
      .map((values) => Object.entries(values).flatMap(toPairs)),
    body: described?.isRequired && wrong !== 'body' ? body : fc.option(body, { nil: undefined, freq: 9 }),
  });
};

const toText = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Anything else leads to another path. */
const isSegment = (text: string): boolean => !/^(|[.]|[.][.])$/.test(text);

const toPairs = ([name, value]: [string, Json]): [string, string][] =>
  (Array.isArray(value) ? value : [value]).map((item: Json) => [name, toText(item)]);

/** Everything of a request that can be wrong. */
const partsOf = (
  { document }: Contract<string>,
  { parameters, definition }: ContractOperation<string>,
): string[] => [
  ...parameters.filter((one) => one.in !== 'header').map(({ name }) => name),
  ...(bodyOf(document, definition) ? ['body'] : []),
];

/** Replies of every status that the contract describes, good and wrong. */
const repliesOf = ({ document }: Contract<string>, { definition }: ContractOperation<string>) =>
  Object.entries(definition.responses).flatMap(([status, written]) => {
    const response = typeof written.$ref === 'string' ? lookUpReference(document, written.$ref) : written;
    const { content } = response as { content?: Record<string, { schema: JsonObject }> };
    const schema = content?.['application/json']?.schema;
    if (!schema) return [];
    const code = status === 'default' ? 418 : Number(status);
    const body = fc.oneof(goodValue(document, schema), wrongValue(document, schema));
    return [body.map((made) => ({ status: code, body: made }))];
  });

interface Plane {
  readonly name: string;
  readonly contract: Contract<string>;
  readonly prefix: string;
}

const PLANES: readonly Plane[] = [
  { name: 'the API', contract: loadContract(), prefix: '' },
  { name: 'the control plane', contract: loadControlContract(), prefix: '/_mock' },
];

const OPERATIONS = PLANES.flatMap((plane) =>
  plane.contract.operations.map((operation) => ({ ...operation, name: plane.name, plane, operation })),
);

const servers = new Map<Plane, { readonly ours: Server; readonly plain: Server }>();
beforeAll(async () => {
  for (const plane of PLANES) {
    const ours = await listen(ourApp(plane.contract, plane.prefix));
    servers.set(plane, { ours, plain: await listen(plainApp(plane.contract)) });
  }
});
afterAll(() => {
  for (const { ours, plain } of servers.values()) for (const server of [ours, plain]) server.close();
});

/** What both answered, which is the same. */
const ask = async (plane: Plane, operation: ContractOperation<string>, sent: Sent) => {
  const { ours, plain } = servers.get(plane) ?? {};
  if (!ours || !plain) throw new Error(`no servers for ${plane.name}`);
  const [own, whole] = await Promise.all([ours, plain].map((server) => send(server, plane, operation, sent)));
  expect(own).toEqual(whole);
  return own?.status;
};

/** Asks what is made, and counts the statuses of the answers. */
const askAll = async (
  plane: Plane,
  operation: ContractOperation<string>,
  made: fc.Arbitrary<Sent>,
  numRuns: number,
): Promise<ReadonlyMap<number | undefined, number>> => {
  const counts = new Map<number | undefined, number>();
  const compare = fc.asyncProperty(made, async (sent) => {
    const status = await ask(plane, operation, sent);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  });
  await fc.assert(compare, { numRuns, seed: SEED });
  return counts;
};

/** Their one parameter is a text of any form. */
const TAKE_ANYTHING = ['deleteCustomProvider', 'getUndoPoint'];

test.each(
  OPERATIONS,
)('$name: the generated check accepts and refuses the same requests of $operationId', async ({
  plane,
  operation,
}) => {
  const good = await askAll(plane, operation, requestOf(plane.contract, operation), REQUESTS);
  expect(good.get(200)).toBeGreaterThan(0);
  const wrong = partsOf(plane.contract, operation).map((part) => requestOf(plane.contract, operation, part));
  if (wrong.length === 0 || TAKE_ANYTHING.includes(operation.operationId)) return;
  const refused = await askAll(plane, operation, fc.oneof(...wrong), REQUESTS);
  expect(refused.get(400)).toBeGreaterThan(0);
});

/** What is refused itself gets no reply to look at. */
const takenRequest = async (plane: Plane, operation: ContractOperation<string>): Promise<Sent> => {
  for (const sent of fc.sample(requestOf(plane.contract, operation), { numRuns: REQUESTS, seed: SEED }))
    if ((await ask(plane, operation, sent)) === 200) return sent;
  throw new Error('no request was taken');
};

test.each(
  OPERATIONS,
)('$name: the generated check accepts and refuses the same replies of $operationId', async ({
  plane,
  operation,
}) => {
  const replies = repliesOf(plane.contract, operation);
  if (replies.length === 0) return;
  const sent = await takenRequest(plane, operation);
  const made = fc.oneof(...replies).map((reply) => ({ ...sent, reply }));
  const counts = await askAll(plane, operation, made, REPLIES);
  expect(counts.get(500)).toBeGreaterThan(0);
  expect(counts.size).toBeGreaterThan(1);
});
