/** Stubs can need a live account: it exists and is ACTIVE (behaviour X6). */
import { notFound, Refusal } from '../../engine/core/errors.ts';
import { cut } from '../../engine/core/text.ts';
import type { LiveThing } from '../../engine/scenario/loading.ts';
import { findNamed } from '../../engine/scenario/section.ts';
import { ACCOUNT, CONNECTION } from '../references.ts';
import type { State } from '../state.ts';
import { accountStatus } from './rules.ts';

const EXAMPLE = 'an id, or CONNECTOR/IDENTIFIER such as mail/{body.identifier}';

export const LIVE_ACCOUNT: LiveThing<State> = {
  member: 'account',
  schema: {
    type: 'string',
    minLength: 1,
    'x-expected': EXAMPLE,
    description: `The stub answers only if this account is ACTIVE: ${EXAMPLE}.`,
  },
  check: (open, written, name) => {
    const [connector = '', ...rest] = name.split('/');
    if (connector.includes('{') || (rest.length === 0 && connector.startsWith('ca_'))) return;
    if (connector === '' || rest.join('/') === '')
      written.problem('account', `"${name}" names no account; write ${EXAMPLE}`);
    else findNamed(open, written, 'account', CONNECTION, connector);
  },
  refuse: (state, name, at) => {
    const account = ACCOUNT.find(state, name);
    const shown = `connected_account ${cut(name)}`;
    if (!account) return notFound(shown, 'GET /api/v1/connected_accounts lists all accounts.', 'X6');
    const status = accountStatus(state, account, at);
    if (status === 'ACTIVE') return undefined;
    return new Refusal(
      'FAILED_PRECONDITION',
      `The ${shown} is ${status}, and this call works only with an ACTIVE account.`,
      'Let its user authorize it again: POST /api/v1/connected_accounts/magic_link.',
      { rule: 'X6' },
    );
  },
};
