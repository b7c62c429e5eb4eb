/** What is different at `POST /oauth/token` (behaviour E3, R3): HTTP Basic, the client's environment, RFC 6749's errors. */
import type { Request, RequestHandler, Response } from 'express';
import { type FieldViolation, refuse } from '../core/errors.ts';
import { type Environments, findByClient } from '../environments/environments.ts';
import {
  environmentFor,
  findContradiction,
  readNamedEnvironments,
} from '../environments/named-environment.ts';
import { addProblems } from '../http/progress.ts';
import type { Schemas } from '../openapi/types.ts';
import { ofAnotherEnvironment } from './authenticate.ts';
import { callOf, sendText } from './call.ts';

/** RFC 6749, 5.1. */
export const forbidStorage: RequestHandler = (_request, response, next) => {
  response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
  next();
};

type FormFields = Readonly<Record<string, unknown>>;

/** The call belongs to the environment of its client (behaviour E3); 401 if it names another one (behaviour E2). */
export const selectClientsEnvironment =
  (environments: Environments): RequestHandler =>
  (request, response, next) => {
    const basic = readBasic(request.headers.authorization);
    if (basic === 'unreadable') return refuseClient(request, response, UNREADABLE);
    request.body = withBasicCredentials(request.body, basic);
    addProblems(response, missingCredentials(request.body));
    const { client_id } = request.body as FormFields; // a form is always an object
    const owner = typeof client_id === 'string' ? findByClient(environments, client_id) : undefined;
    if (!owner) return next();
    const named = readNamedEnvironments(environments, request.headers);
    const call = callOf(response);
    call.environment = environmentFor(owner, named);
    call.tokenOwner = owner;
    call.clientId = String(client_id);
    const other = findContradiction(named, call.environment);
    if (other) refuseClient(request, response, ofAnotherEnvironment(owner, other).message);
    else next();
  };

/** The contract cannot require them in the form, as HTTP Basic is another place for them. */
const missingCredentials = (fields: FormFields): FieldViolation[] =>
  ['client_id', 'client_secret']
    .filter((name) => (fields[name] ?? '') === '')
    .map((field) => ({
      field,
      constraint: 'required',
      description: `${field} is missing.`,
      advice: 'Send it as a form field, or id and secret by HTTP Basic.',
    }));

const refuseClient = (request: Request, response: Response, error_description: string): void => {
  const body: Schemas['TokenError'] = { error: 'invalid_client', error_description };
  challenge(request, response);
  sendText(response.status(401).type('json'), JSON.stringify(body));
};

const UNREADABLE =
  'The Authorization header holds no client id and secret. Send both, joined by a colon, in base64.';

/** The answer to a failed HTTP Basic names the scheme (RFC 6749, 5.2). */
export const challenge = (request: Request, response: Response): void => {
  if (/^Basic\b/i.test(request.headers.authorization ?? ''))
    response.set('WWW-Authenticate', 'Basic realm="connected-accounts-mock"');
};

/** Id and secret of HTTP Basic (RFC 6749, 2.3.1); undefined for a client that does not authenticate by it. */
const readBasic = (authorization = ''): FormFields | 'unreadable' | undefined => {
  if (!/^Basic\b/i.test(authorization)) return undefined;
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1] ?? '';
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (id === undefined || secret === undefined) return 'unreadable';
  return { client_id: decode(id), client_secret: decode(secret) };
};

/** The form fields, with the client that HTTP Basic names. */
const withBasicCredentials = (fields: FormFields, basic: FormFields = {}): FormFields => {
  refuse(differences(fields, basic));
  return { ...fields, ...basic };
};

/** A client authenticates in one way (RFC 6749, 2.3); the same in both is harmless, and some libraries send it. */
const differences = (fields: FormFields, basic: FormFields): FieldViolation[] =>
  Object.keys(basic)
    .filter((name) => (fields[name] ?? '') !== '' && fields[name] !== basic[name])
    .map((field) => ({
      field,
      constraint: 'authentication',
      description: `${field} in the form differs from the one in the Authorization header. Send it in one of the two.`,
    }));

/** The RFC has both form-encoded before they are joined; a raw value with a stray `%` is taken as it is. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return text;
  }
};

/** 400 as RFC 6749 writes it, for a token request that breaks the contract. */
export const toTokenError = (violations: readonly FieldViolation[]): Schemas['TokenError'] => {
  const broken = violations.filter(({ field }) => field === 'grant_type').map(({ constraint }) => constraint);
  // A `grant_type` sent twice is a list instead of a text, and RFC 6749 calls that an invalid request.
  const isUnsupported = broken.includes('enum') && !broken.includes('type');
  return {
    error: isUnsupported ? 'unsupported_grant_type' : 'invalid_request',
    error_description: violations.map(({ description }) => description).join(' '),
  };
};
