/** What the pages may load, as Content-Security-Policy: nothing that this server does not serve. */

const COMMON = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The console brings no inline script and no inline style. */
export const CONSOLE_POLICY = [...COMMON, "style-src 'self'", "img-src 'self'"].join('; ');

/** Swagger UI writes style attributes, and its stylesheet holds icons as data. */
export const REFERENCE_POLICY = [
  ...COMMON,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
].join('; ');
