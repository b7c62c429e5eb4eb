/** The calls of the control plane that only this API has: actions on its rows, and sign-ins. */
import type { Handlers } from '../engine/control/control-document.ts';
import { actOn, idOf, runIn } from '../engine/control/handlers/environments.ts';
import { signIn } from './logs.ts';
import { membershipKey } from './state.ts';

export const controlHandlers = {
  actOnAccount: ({ path: { id, action } }, context) => {
    const reply = actOn(context, 'connected_accounts', action, {
      id: idOf(context, 'connected_accounts', id),
    });
    return { body: { connected_account: { ...reply } } };
  },

  decideLink: ({ path: { link, decision }, body: details }, context) => {
    const id = link.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
    const reply = actOn(context, 'authorization_links', decision, { ...details, id });
    return { body: reply as { redirect_url: string } }; // the cast is safe: decisions send the user somewhere
  },

  actOnMembership: ({ path: { organization_id, user_id, action } }, context) => {
    const organization = idOf(context, 'organizations', organization_id);
    const id = membershipKey(organization, idOf(context, 'users', user_id));
    return { body: { membership: { ...actOn(context, 'memberships', action, { id }) } } };
  },

  signIn: ({ body }, context) => {
    const { connection_id } = body;
    const named =
      connection_id === undefined ? {} : { connection_id: idOf(context, 'connections', connection_id) };
    const given = { ...body, ...named };
    return { status: 201, body: { authentication_request: { ...runIn(context, signIn, given).reply } } };
  },
} satisfies Partial<Handlers>;
