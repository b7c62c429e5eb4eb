/** The service as a whole, with one promise broken. */
import type { PromiseId } from '../../../src/verify/promises.ts';
import { at, type Break, drop, each, type Held, on, restatus, set } from './break.ts';

/** The first token is that of the run itself, and stays as it is. */
const afterFirst = ({ alter }: Break): Break => {
  let count = 0;
  return on('issueToken', (reply) => {
    count += 1;
    if (count > 1) alter?.(reply);
  });
};

const withoutTokenField = (member: string): Break => afterFirst(drop('', member, 'issueToken'));

/** Every text of a body, replaced. */
const mapTexts = (value: Held, change: (text: string) => string): Held => {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, mapTexts(held, change)]));
};

const letIn = (isMissing: boolean): Break =>
  on('any', (reply) => {
    if ((reply.asked.authorization === undefined) === isMissing && reply.status === 401) reply.status = 200;
  });

const openToAll = restatus('getConnectedAccountDetails', 404, 200);
const serverError = (status: number): Break => restatus('any', status, 503);

export const SERVICE_BREAKS: Partial<Record<PromiseId, readonly Break[]>> = {
  'service.separate': [openToAll],
  'service.prefix': [
    on('any', (reply) => {
      if (reply.url.startsWith('/api/v1')) reply.status = 404;
    }),
  ],
  'service.json': [
    on('any', ({ headers }) => {
      headers['content-type'] = 'text/plain';
    }),
  ],
  'service.times': [
    on('any', (reply) => {
      reply.body = mapTexts(reply.body, (text) => text.replace(/^(\d{4}-.*T.*)Z$/, '$1+01:00'));
    }),
  ],
  'token.form': [afterFirst(restatus('issueToken', 200, 400)), restatus('issueToken', 400, 200)],
  'token.access_token': [withoutTokenField('access_token')],
  'token.token_type': [withoutTokenField('token_type')],
  'token.expires_in': [withoutTokenField('expires_in')],
  'token.scope': [withoutTokenField('scope')],
  'authentication.client_credentials': [afterFirst(restatus('issueToken', 200, 401))],
  'authentication.bearer': [restatus('listConnectedAccounts', 200, 401)],
  'authentication.content_type': [restatus('listConnectedAccounts', 200, 415)],
  'authentication.required': [restatus('any', 401, 200)],
  'authentication.missing': [letIn(true)],
  'authentication.invalid': [letIn(false)],
  'authentication.per_environment': [openToAll],
  'errors.200': [restatus('listConnectedAccounts', 200, 202)],
  'errors.201': [restatus('createConnectedAccount', 201, 202)],
  'errors.400': [restatus('any', 400, 422)],
  'errors.401': [restatus('any', 401, 403)],
  'errors.403': [restatus('any', 403, 401)],
  'errors.404': [restatus('any', 404, 410)],
  'errors.409': [restatus('any', 409, 412)],
  'errors.429': [serverError(429)],
  'errors.500': [serverError(500)],
  'errors.501': [serverError(501)],
  'errors.504': [serverError(504)],
  'errors.code': [drop('', 'code')],
  'errors.message': [drop('', 'message')],
  'errors.details': [drop('', 'details')],
  'errors.type': [drop('details.*', '@type')],
  'errors.error_code': [drop('details.*', 'error_code')],
  'errors.unauthenticated': [
    on('any', ({ status, body }) => {
      if (status === 401) for (const detail of at(body, 'details.*')) detail.error_code = 'NO_TOKEN';
    }),
  ],
  'metadata.shortest_key': [restatus('any', 400, 200)],
  'metadata.longest_key': [restatus('any', 400, 200)],
  'metadata.shortest_value': [restatus('any', 400, 200)],
  'metadata.longest_value': [restatus('any', 400, 200)],
  'metadata.pairs': [restatus('any', 400, 200)],
  'credentials.one': [
    set('connected_account.authorization_details', 'static_auth', {}),
    drop('connected_account.authorization_details', 'oauth_token'),
  ],
  'provider.metadata_default': [
    each('provider', (provider) => {
      if (Object.keys(provider.metadata).length === 0) provider.metadata = { key: 'value' };
    }),
  ],
};
