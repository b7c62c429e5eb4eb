/** `POST /oauth/token` (behaviour E3, R3, T4): HTTP Basic, the client's own environment, refusals in RFC 6749's words. */

import { ApiError, type FieldViolation, refuse } from '../core/errors.ts';
import { type Environments, findByClient } from '../environments/environments.ts';
import {
  environmentFor,
  findContradiction,
  readNamedEnvironments,
} from '../environments/named-environment.ts';
import type { Schemas } from '../openapi/types.ts';
import { parseBody, readBody } from './body.ts';
import type { Call } from './call.ts';
import type { Headers } from './cors.ts';
import { ofAnotherEnvironment } from './identify.ts';
import { applyFault, checkLimitsAndFaults } from './interference.ts';
import { replyJson } from './reply.ts';
import { dispatch, requireContract, type Serving } from './serve.ts';

/** Its environment is that of the client id in the body, so limits and faults come after that. */
export const serveToken = async (serving: Serving): Promise<void> => {
  const { environments, call } = serving;
  call.extraHeaders['Cache-Control'] = 'no-store'; // RFC 6749, 5.1
  if (!(await isAcceptable(call, () => readFields(call)))) return;
  if (!entersClientsEnvironment(environments, call)) return;
  const effect = checkLimitsAndFaults(call);
  if (effect && (await applyFault(call, effect))) return;
  if (await isAcceptable(call, () => requireContract(serving))) {
    dispatch(serving, (status) => challenge(call, status));
  }
};

/** Whether a step found nothing to refuse; a bad request is answered here, and anything else thrown on. */
const isAcceptable = async (call: Call, step: () => Promise<void> | void): Promise<boolean> => {
  try {
    await step();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.errorCode === 'INVALID_ARGUMENT')) throw error;
    call.violations = error.extras.violations ?? [];
    replyJson(call, { status: 400, body: toTokenError(call.violations) });
    return false;
  }
};

const readFields = async (call: Call): Promise<void> => {
  const { headers } = call.request;
  call.bodyText = await readBody(call.request, call.response);
  const fields = parseBody(call.bodyText, headers['content-type'], 'application/x-www-form-urlencoded');
  // A form is always an object, and a field without a value counts as left out (RFC 6749, 3.2).
  const sent = Object.entries(fields as Fields).filter(([, value]) => value !== '');
  call.body = withBasicCredentials(Object.fromEntries(sent), headers.authorization);
};

/** A client that tried HTTP Basic in vain is told the scheme (RFC 6749, 5.2). */
const challenge = ({ request }: Call, status: number): Headers =>
  status === 401 && /^Basic /i.test(request.headers.authorization ?? '')
    ? { 'WWW-Authenticate': 'Basic realm="connected-accounts-mock"' }
    : {};

/** False if the call was answered: its client belongs to another environment than the one it names (behaviour E2). */
const entersClientsEnvironment = (environments: Environments, call: Call): boolean => {
  const { client_id } = call.body as Fields; // as `readFields` left it
  const owner = typeof client_id === 'string' ? findByClient(environments, client_id) : undefined;
  if (!owner) return true;
  const named = readNamedEnvironments(environments, call.request.headers);
  call.environment = environmentFor(owner, named);
  call.tokenOwner = owner;
  call.clientId = String(client_id);
  const other = findContradiction(named, call.environment);
  if (!other) return true;
  const { message } = ofAnotherEnvironment(owner, other);
  const body = { error: 'invalid_client', error_description: message };
  replyJson(call, { status: 401, body }, challenge(call, 401));
  return false;
};

type Fields = Readonly<Record<string, unknown>>;

/** The form fields, with id and secret from HTTP Basic where the header carries them (RFC 6749, 2.3.1). */
const withBasicCredentials = (fields: Fields, authorization: string | undefined): Fields => {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return fields;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return fields;
  const basic = { client_id: decode(text.slice(0, colon)), client_secret: decode(text.slice(colon + 1)) };
  refuse(differences(fields, basic));
  return { ...fields, ...basic };
};

/** A client authenticates in one way (RFC 6749, 2.3); the same in both is harmless, and some libraries send it. */
const differences = (fields: Fields, basic: Fields): FieldViolation[] =>
  Object.keys(basic)
    .filter((name) => fields[name] !== undefined && fields[name] !== basic[name])
    .map((field) => ({
      field,
      constraint: 'authentication',
      description: `${field} is another one in the form than in the Authorization header. Send it in one of the two.`,
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
const toTokenError = (violations: readonly FieldViolation[]): Schemas['TokenError'] => {
  const broken = violations.filter(({ field }) => field === 'grant_type').map(({ constraint }) => constraint);
  // Sent twice it is no text, and that is an invalid request.
  const isUnsupported = broken.includes('enum') && !broken.includes('type');
  return {
    error: isUnsupported ? 'unsupported_grant_type' : 'invalid_request',
    error_description: violations.map(({ description }) => description).join(' '),
  };
};
