/**
 * Does what only `POST /oauth/token` needs (behaviour E3, R3): reads HTTP Basic credentials, finds the client's
 * environment, and writes the errors of RFC 6749.
 */
import { type Call, ofAnotherEnvironment } from '../api/call.ts';
import type { ContractOperation } from '../contract/load.ts';
import { type FieldViolation, type Refusal, refuse } from '../core/errors.ts';
import { decode } from '../core/secrets.ts';
import { getRow } from '../core/table.ts';
import type { Environments } from '../environments/all-environments.ts';
import { environmentFor, readNamedEnvironments } from '../environments/mock-headers.ts';
import { readBodyNames } from '../http/spelling.ts';
import { unauthenticated } from './access-token.ts';

/** Headers that RFC 6749, 5.1, requires. */
export const NOT_STORED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

type FormFields = Readonly<Record<string, unknown>>;

/**
 * Finds the client of a token request; the call then belongs to the client's environment (behaviour E3), and has the
 * credentials in its body.
 * @throws Refusal 400 if form and header differ (RFC 6749, 2.3), 401 if the request has no readable credentials or names an
 * environment that is not the client's (behaviour E2)
 */
export const findClient = (environments: Environments, call: Call, operation: ContractOperation): void => {
  const { headers } = call.request;
  const fields: FormFields = Object(readBodyNames(operation, call.body).body);
  const basic = readBasic(environments, headers.authorization);
  if (basic) refuseOther(fields, basic);
  const body = { ...fields, ...basic };
  if (basic) call.body = body; // a form alone keeps its spelling, which strict mode refuses
  call.problems = missingCredentials(body);
  const { client_id } = body;
  const tokenOwner = typeof client_id === 'string' ? environments.find(client_id, 'client') : undefined;
  if (!tokenOwner) return;
  const { environment, other } = environmentFor(tokenOwner, readNamedEnvironments(environments, headers));
  Object.assign(call, { environment: other?.environment ?? environment, tokenOwner, clientId: client_id });
  if (other) throw ofAnotherEnvironment(tokenOwner, other);
};

/** The contract cannot require these form fields, because a client can send them by HTTP Basic instead. */
const missingCredentials = (fields: FormFields): FieldViolation[] =>
  ['client_id', 'client_secret']
    .filter((name) => (fields[name] ?? '') === '')
    .map((field) => ({
      field,
      constraint: 'required',
      description: `${field} is missing.`,
      advice: 'Send it as a form field, or send the client id and secret by HTTP Basic.',
    }));

/** The headers of a 401: a challenge if the client used HTTP Basic (RFC 6749, 5.2). */
export const challengeOf = ({ request }: Call): Readonly<Record<string, string>> =>
  USES_BASIC.test(request.headers.authorization ?? '')
    ? { 'WWW-Authenticate': 'Basic realm="connected-accounts-mock"' }
    : {};

const USES_BASIC = /^Basic\b/i;

/** The client id and secret sent by HTTP Basic (RFC 6749, 2.3.1), if it is used. @throws Refusal 401 */
const readBasic = (environments: Environments, authorization = ''): FormFields | undefined => {
  if (!USES_BASIC.test(authorization)) return undefined;
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1] ?? '';
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (id === undefined || secret === undefined)
    throw unauthenticated(
      'The Authorization header does not contain a client id and a secret.',
      'Send the id and the secret, joined by a colon, in base64.',
    );
  // Clients should form-encode id and secret before joining them, but many send both as they are.
  const client_id = environments.find(id, 'client') ? id : decode(id);
  const { clients } = environments.find(client_id, 'client')?.current.data ?? {};
  const isPlain = clients && getRow(clients, client_id)?.client_secret === secret;
  return { client_id, client_secret: isPlain ? secret : decode(secret) };
};

/** Refuses form fields that differ from the header. Some libraries send both, and equal values. @throws Refusal 400 */
const refuseOther = (fields: FormFields, basic: FormFields): void => {
  const differing = Object.keys(basic).filter(
    (name) => fields[name] !== undefined && fields[name] !== basic[name],
  );
  const is = 'in the form differs from the Authorization header. Send it in one place only.';
  refuse(differing.map((field) => ({ field, constraint: 'authentication', description: `${field} ${is}` })));
};

/** A refusal in the format of RFC 6749, 5.2. */
export const toTokenError = ({ errorCode, message }: Refusal, violations: readonly FieldViolation[] = []) => {
  if (errorCode === 'UNAUTHENTICATED') return { error: 'invalid_client', error_description: message };
  const broken = violations.filter(({ field }) => field === 'grant_type').map(({ constraint }) => constraint);
  // A `grant_type` sent twice is a list; RFC 6749 calls that an invalid request.
  const isUnsupported = broken.includes('enum') && !broken.includes('type');
  return {
    error: isUnsupported ? 'unsupported_grant_type' : 'invalid_request',
    error_description: violations.map(({ description }) => description).join(' '),
  };
};
