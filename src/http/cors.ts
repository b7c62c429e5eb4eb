/** Cross-origin headers of the API plane (behaviour T6): any origin, credentials allowed, on every answer. */
import type { IncomingHttpHeaders } from 'node:http';

export type Headers = Record<string, string>;

const EXPOSED = 'X-Request-Id, Retry-After, WWW-Authenticate, Preference-Applied';

/** For any answer to a browser page of another origin; nothing for other clients. */
export const corsHeaders = (request: IncomingHttpHeaders): Headers => {
  const { origin } = request;
  if (origin === undefined) return { 'Access-Control-Allow-Origin': '*' };
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  };
};

/** For a preflight: the path's methods, and whatever headers the browser asks for. */
export const preflightHeaders = (request: IncomingHttpHeaders, methods: readonly string[]): Headers => ({
  ...corsHeaders(request),
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': request['access-control-request-headers'] ?? 'Authorization, Content-Type',
  'Access-Control-Max-Age': '600',
  Allow: methods.join(', '),
});
