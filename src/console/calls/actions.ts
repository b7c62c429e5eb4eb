/** What users, providers and applications do to a row: the actions of the service, and of `kinds.ts`. */

import { act } from '../../engine/control/handlers/shared.ts';
import { merge } from '../../engine/control/handlers/state.ts';
import type { ConsoleHandlers } from './call-types.ts';
import { KINDS } from './kinds.ts';
import { requireRow } from './rows.ts';

export const actions = {
  actOnRow: ({ path: { kind, id, action } }, context) => {
    requireRow(context, kind, id);
    const { set, opens } = KINDS[kind].actions.find(({ name }) => name === action) ?? {};
    if (set) merge(context, { [kind]: [{ id, ...set }] }, {});
    const reply = set ? {} : act(context, kind, action, { id });
    return { status: 200, body: opens ? { link: String(Object(reply).link) } : {} };
  },
} satisfies Partial<ConsoleHandlers>;
