/** What users, providers and applications do to a row: the actions of `kinds.ts`. */

import type { EnvironmentContext } from '../../engine/control/call-types.ts';
import { runIn } from '../../engine/control/handlers/shared.ts';
import { merge } from '../../engine/control/handlers/state.ts';
import { notFound } from '../../engine/core/errors.ts';
import { getRow } from '../../engine/core/table.ts';
import { didYouMean } from '../../engine/core/text.ts';
import { actOnAccount } from '../../service/accounts/actions.ts';
import { approve, deny } from '../../service/links/decisions.ts';
import { verifyConnectedAccountUser } from '../../service/links/operations.ts';
import { moveMembership } from '../../service/memberships/actions.ts';
import { resendInvite } from '../../service/memberships/operations.ts';
import type { ConsoleHandlers } from './call-types.ts';
import { makeLink } from './forms.ts';
import { KINDS, type KindName } from './kinds.ts';
import { requireRow } from './rows.ts';
import { stateOf } from './state.ts';

export const actions = {
  actOnRow: ({ path: { kind, id, action } }, context) => {
    requireRow(context, kind, id);
    const names = KINDS[kind].actions.map(({ name }) => name);
    const found = KINDS[kind].actions.find(({ name }) => name === action);
    if (!found)
      throw notFound(
        `action ${action}`,
        didYouMean(action, names).trim() || `${KINDS[kind].label} have ${names.join(', ')}.`,
      );
    if (found.set) merge(context, { [kind]: [{ id, ...found.set }] }, {});
    const link = found.set ? undefined : RUN[kind]?.(context, id, action);
    return { status: 200, body: link === undefined ? {} : { link } };
  },
} satisfies Partial<ConsoleHandlers>;

/** Runs an action. @returns the address of a page to open, if any */
type Run = (context: EnvironmentContext, id: string, action: string) => string | undefined;

const RUN: Partial<Record<KindName, Run>> = {
  connected_accounts: (context, id, action) => {
    if (action === 'open') return makeLink(context, id);
    if (action === 'approve') decide(context, makeLink(context, id).split('/').at(-1) ?? '', approve);
    else if (action === 'verify') verify(context, ({ account_id }) => account_id === id);
    else runIn(context, actOnAccount, { id, action: action as Parameters<typeof actOnAccount>[1]['action'] });
    return undefined;
  },

  memberships: (context, key, action) => {
    const [organization_id = '', user_id = ''] = key.split('/');
    if (action === 'resend')
      runIn(context, resendInvite, { path: { organization_id, id: user_id }, query: {}, body: {} });
    else
      runIn(context, moveMembership, {
        ...{ organization_id, user_id },
        action: action as Parameters<typeof moveMembership>[1]['action'],
      });
    return undefined;
  },

  authorization_links: (context, token, action) => {
    const { environment, environments } = context;
    if (action === 'open') return `${environments.baseUrl}/magicLink/${token}${environment.key}`;
    decide(context, token + environment.key, action === 'approve' ? approve : deny);
    return undefined;
  },

  verification_requests: (context, id) => {
    verify(context, ({ auth_request_id }) => auth_request_id === id);
    return undefined;
  },
};

const decide = (context: EnvironmentContext, token: string, decision: typeof approve | typeof deny): void => {
  const { reply } = runIn(context, decision as typeof approve, { token });
  if (reply.outcome === 'refused') throw notFound('link', 'It was used, has ended, or its account is gone.');
};

/** Verifies the user of the newest open request, as the application would (behaviour V6). */
const verify = (
  context: EnvironmentContext,
  isMeant: (row: { readonly account_id: string; readonly auth_request_id: string }) => boolean,
): void => {
  const { environment } = context;
  const data = stateOf(environment);
  const request = [...data.verification_requests.rows.values()].findLast(isMeant);
  const account = getRow(data.connected_accounts, request?.account_id ?? '');
  if (!request || !account) throw notFound('open verification request', 'The user must approve first.');
  const body = { auth_request_id: request.auth_request_id + environment.key, identifier: account.identifier };
  runIn(context, verifyConnectedAccountUser, { path: {}, query: {}, body });
};
