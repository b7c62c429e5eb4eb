/** What a mock does unless an option says otherwise; apart from the table of options, which the light client need not load. */
export const DEFAULTS = {
  port: 4720,
  host: '127.0.0.1',
  url: 'http://127.0.0.1:4720',
  validateResponses: 'report',
} as const;
