/** Cross-origin headers of the API plane (behaviour T6): any origin, credentials allowed, on every answer. */
import type { RequestHandler } from 'express';
import { type Contract, methodsOf, operationsAt } from '../openapi/load.ts';
import { callOf, send } from './call.ts';

/** Methods that every path has. */
export const ALWAYS = ['OPTIONS'];

const EXPOSED = 'X-Request-Id, Retry-After, WWW-Authenticate, Preference-Applied';

/** Sets the headers that every answer has. */
export const allowOrigins: RequestHandler = ({ headers: { origin } }, response, next) => {
  response.set('Access-Control-Allow-Origin', origin ?? '*');
  if (origin !== undefined)
    response.set({
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': EXPOSED,
      Vary: 'Origin',
    });
  next();
};

/** Answers a preflight with the path's methods and whatever headers the browser asks for. */
export const answerPreflight =
  (contract: Contract): RequestHandler =>
  ({ method, path, headers }, response, next) => {
    if (method !== 'OPTIONS') return next();
    const methods = [...methodsOf(operationsAt(contract, path)), ...ALWAYS].join(', ');
    const asked = headers['access-control-request-headers'];
    send(callOf(response), {
      status: 204,
      headers: {
        Allow: methods,
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': asked ?? 'Authorization, Content-Type',
        'Access-Control-Max-Age': '600',
      },
      text: '',
    });
  };
