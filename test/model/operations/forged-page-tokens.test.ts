/** Behaviour I4: page tokens that are well formed, but that no list made. */
import { expect, test } from '@jest/globals';
import type { InputFor } from '../../../src/contract/types.ts';
import { listed } from '../../support/accounts.ts';
import { call, outcomeOf } from '../../support/core.ts';
import { forgePageToken } from '../../support/forge.ts';

test.each([
  { start_time: 'noon' },
  { status: ['MAIL', 'FAILED'] },
  { status: 'FAILED' },
  { email: ['ada'] },
])('behaviour I4: a forged page token with the filters %j gives a page of the log, or is refused', (filters) => {
  const cursor = { list: 'listAuthenticationRequests', filters, direction: 'forward', position: 1e308 };
  const query: InputFor<'listAuthenticationRequests'>['query'] = {
    page_token: forgePageToken(JSON.stringify(cursor)),
  };
  const outcome = outcomeOf(() => call(listed, 'listAuthenticationRequests', { query }));
  expect(['answered', 'INVALID_ARGUMENT']).toContain(outcome);
});
