/** `ca-mock verify`: runs the table of cases against any server that has the API. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv, type ErrorObject } from 'ajv';
import type { Contract } from '../engine/contract/load.ts';
import { FORMATS } from '../engine/contract/words.ts';
import { monotonicNow } from '../engine/core/clock.ts';
import { Unusable } from '../engine/core/errors.ts';
import { randomSeed } from '../engine/core/ids.ts';
import { isJsonObject, type JsonObject, parseJson, valueAt } from '../engine/core/object.ts';
import { maskSecret, withoutTokens } from '../engine/core/secrets.ts';
import { didYouMean, listNames } from '../engine/core/text.ts';
import { whyUnreachable } from '../engine/core/unreachable.ts';
import { loadContract } from '../service/document.ts';
import { type Case, changesData } from './case.ts';
import { CASES } from './cases/index.ts';
import { type Outcome, type Report, reportJson, reportJunit, rowText, summaryText } from './report.ts';
import { type Reply, type Request, toReply, toRequest } from './request.ts';
import { type CaseProblem, Missing, type ReplyCheck, runCase } from './run.ts';
import { type Client, findThings } from './things.ts';

export interface VerifyOptions extends Client {
  readonly baseUrl: string;
  /** How many seconds to wait for a reply. Default: 10. */
  readonly timeout?: number | undefined;
  /** Also runs cases that change data. */
  readonly write?: boolean | undefined;
  /** Also checks what the API's description does not say. */
  readonly inferred?: boolean | undefined;
  readonly operation?: readonly string[] | undefined;
  readonly organizationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly externalId?: string | undefined;
  readonly json?: boolean | undefined;
  readonly junit?: string | undefined;
  /** Ends the run after the current case. */
  readonly signal?: AbortSignal | undefined;
}

export interface Print {
  out(text: string): void;
  file(path: string, text: string): void;
}

/** @returns 1 if the run was stopped, or a case failed; else 0 @throws Unusable if the cases cannot run */
export const runVerify = async (options: VerifyOptions, print: Print): Promise<0 | 1> => {
  const { json, junit, baseUrl, signal } = options;
  const cases = chosen(options);
  const server = await connect(options);
  const outcomes: Outcome[] = [];
  for (const one of cases) {
    if (signal?.aborted) break;
    const outcome = await outcomeOf(one, server, options);
    outcomes.push(outcome);
    if (!json) print.out(rowText(outcome));
  }
  const report: Report = { baseUrl, outcomes, isStopped: outcomes.length < cases.length };
  print.out(json ? `${JSON.stringify(reportJson(report), null, 2)}\n` : summaryText(report));
  if (junit !== undefined) print.file(junit, reportJunit(report));
  return report.isStopped || outcomes.some(({ result }) => result === 'failed') ? 1 : 0;
};

/** @throws Unusable for an operation that the contract does not have */
const chosen = ({ operation = [] }: VerifyOptions): readonly Case[] => {
  const ids: readonly string[] = loadContract().operations.map(({ operationId }) => operationId);
  const unknown = operation.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    const advice = didYouMean(unknown, ids) || ` ${listNames(ids)}.`;
    throw new Unusable(`--operation ${unknown} is not an operation.${advice}`);
  }
  const all = Object.values(CASES).flat();
  return operation.length === 0 ? all : all.filter(({ operationId }) => operation.includes(operationId));
};

/** What the contract says of the replies of any server. The messages never quote values. */
export const createReplyCheck = ({ operation }: Contract): ReplyCheck => {
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, formats: { ...FORMATS, int64: true } });
  return (operationId, { status, headers, body }) => {
    const { responses } = operation(operationId).definition;
    const response: unknown = responses[status] ?? responses.default;
    const missing = missingHeaders(Object(valueAt(response, 'headers')), headers);
    const schema = valueAt(response, 'content', 'application/json', 'schema');
    if (!isJsonObject(schema)) return missing;
    if (body === undefined) return [{ text: 'the body is empty or not JSON', basis: 'promised' }];
    const validate = ajv.compile(schema); // once: the library keeps what it compiled
    validate(shortened(body));
    return [...(validate.errors ?? []).map(toProblem), ...missing];
  };
};

/** The time of a check grows with the square of the mistakes, so only the first thousand items of a list are checked. */
const shortened = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_name, value) => (Array.isArray(value) ? value.slice(0, 1_000) : value));

const toProblem = ({ instancePath, message, params, keyword, parentSchema }: ErrorObject): CaseProblem => {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'the body';
  const values = keyword === 'enum' ? ` (${String(params.allowedValues)})` : '';
  // The API's description gives the type of every member, so a wrong type always breaks a promise.
  const isMarked = parentSchema !== undefined && 'x-inferred' in parentSchema && keyword !== 'type';
  // The API's description never says which members a reply must have, so a missing member is `inferred`.
  const basis = keyword === 'required' || isMarked ? 'inferred' : 'promised';
  return { text: `${place} ${message}${values}`, basis };
};

const missingHeaders = (stated: Readonly<Record<string, JsonObject>>, sent: Reply['headers']): readonly CaseProblem[] =>
  Object.entries(stated)
    .filter(([name, { required }]) => required === true && !(name.toLowerCase() in sent))
    .map(([name, header]) => ({
      text: `the header ${name} is missing`,
      basis: 'x-inferred' in header ? 'inferred' : 'promised',
    }));

const checkReply = createReplyCheck(loadContract());

type Server = Awaited<ReturnType<typeof connect>>;

const outcomeOf = async (one: Case, server: Server, options: VerifyOptions): Promise<Outcome> => {
  const { write, inferred, clientSecret } = options;
  const start = monotonicNow();
  const ended = (result: Outcome['result'], messages: readonly string[] = []): Outcome => {
    const texts = new Set(messages.map((text) => withoutTokens(maskSecret(text, clientSecret))));
    return { case: one, result, messages: [...texts].slice(0, MOST_MESSAGES), duration: monotonicNow() - start };
  };
  if (!inferred && one.basis === 'inferred')
    return ended('skipped', ["is about what the API's description leaves open, which needs --inferred"]);
  if (!write && changesData(one)) return ended('skipped', ['changes data, which needs --write']);
  const ran = await runCase(one, server.door, checkReply).catch((missing: Missing) => missing);
  const left = await server.cleanUp();
  if (ran instanceof Missing && left.length === 0) return ended('skipped', [ran.message]);
  const problems = ran instanceof Missing ? [] : ran.filter(({ basis }) => inferred || basis === 'promised');
  const messages = [...problems.map(({ text }) => text), ...left];
  return ended(messages.length > 0 ? 'failed' : 'passed', messages);
};

/** A reply with a thousand items can be wrong in a thousand places. */
const MOST_MESSAGES = 20;

/** Gets a token, and looks what the server has. @throws Unusable if it does not respond, or refuses the client */
const connect = async (options: VerifyOptions) => {
  const { organizationId: organization, userId: user, externalId: external } = options;
  const undo: Request[] = [];
  const send = async (request: Request): Promise<Reply> => {
    const reply = await exchange(request, options).catch((unusable: Unusable) => unusable);
    const isRefused = 'status' in reply && reply.status >= 400 && reply.status < 500;
    if (!isRefused) undo.push(...removalOf(request, valueAt(reply, 'body')));
    if (reply instanceof Unusable) throw reply;
    return reply;
  };
  /** Removes what the last case created, newest first. @returns what is left */
  const cleanUp = async (): Promise<readonly string[]> => {
    const left: string[] = [];
    for (const request of undo.splice(0).toReversed()) {
      const { status } = await exchange(request, options).catch(() => ({ status: 'nothing' }));
      if (![200, 204, 404].includes(Number(status)))
        left.push(`left behind: ${request.method} ${request.url} ${request.body ?? ''} answered ${status}`);
    }
    return left;
  };
  const door = { send, token: await requestToken(options) };
  const found = await findThings(door, options);
  const things = { ...found, organization, user, external, run: randomSeed().toString(36) };
  return { door: { ...door, things }, cleanUp };
};

/** The call that removes what a call created; also if that call got no reply. */
const removalOf = ({ method, url, headers, body }: Request, made: unknown): readonly Request[] => {
  const [path = ''] = url.split('?');
  const { id, connector, identifier } = Object(parseJson(body ?? ''));
  const provider = valueAt(made, 'provider', 'identifier');
  if (method !== 'POST') return [];
  if (/[/]connected_accounts(?:[/]magic_link)?$/.test(path) && id === undefined && connector !== undefined)
    return [toRequest('deleteConnectedAccount', { body: { connector, identifier }, headers, token: null }, '')];
  if (path.endsWith('/custom-providers') && provider !== undefined)
    return [{ method: 'DELETE', url: `${path}/${encodeURIComponent(String(provider))}`, headers }];
  return path.includes('/memberships/') ? [{ method: 'DELETE', url: path, headers }] : [];
};

/** @returns the access token; empty if the reply has none, which cases then report @throws Unusable if it is refused */
const requestToken = async (options: VerifyOptions): Promise<string> => {
  const { baseUrl, clientId, clientSecret } = options;
  const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const request = toRequest('issueToken', { body: grant }, '');
  const { status, body } = await exchange(request, options);
  if (status < 300) return String(valueAt(body, 'access_token') ?? '');
  const advice = 'Check the address, --client-id and --client-secret.';
  throw new Unusable(`${addressOf(request.url, baseUrl)} returned no token: status ${status}. ${advice}`);
};

/** The address of a page is whole already. */
const addressOf = (url: string, baseUrl: string): string =>
  url.startsWith('/') ? baseUrl.replace(/\/+$/, '') + url : url;

/** In seconds. A call whose answer asks for a longer wait is not repeated. */
const LONGEST_WAIT = 30;

/**
 * Sends a request, and follows no redirect. Repeats it twice at most while it is answered with 429, as late as the answer
 * asks. @throws Unusable if no reply comes
 */
const exchange = async (request: Request, options: VerifyOptions, repeats = 2): Promise<Reply> => {
  const { method, headers, body = null } = request;
  const { baseUrl, timeout = 10 } = options;
  const url = addressOf(request.url, baseUrl);
  const signal = AbortSignal.timeout(timeout * 1000);
  const reply = await fetch(url, { method, headers, body, redirect: 'manual', signal })
    .then(toReply)
    .catch((error) => {
      const late = { why: `no reply within ${timeout} s`, advice: undefined };
      const { why, advice = CHECK } = error.name === 'TimeoutError' ? late : whyUnreachable(error);
      const { origin, pathname } = new URL(url);
      throw new Unusable(`${method} ${origin}${pathname}: ${why}. ${advice}`);
    });
  const wait = Math.max(Number(reply.headers['retry-after']) || 1, 0.1);
  if (reply.status !== 429 || repeats === 0 || wait > LONGEST_WAIT) return reply;
  await sleep(wait * 1000);
  return exchange(request, options, repeats - 1);
};

const CHECK = 'Check that the server is running and that the address is right.';
