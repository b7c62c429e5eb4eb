/** What users, providers and applications do to a row: the actions of the service. */
import { act } from '../../engine/control/handlers/shared.ts';
import type { ConsoleHandlers } from './call-types.ts';
import { requireRow } from './rows.ts';

export const actions = {
  actOnRow: ({ path: { kind: name, id, action } }, context) => {
    const { kind } = requireRow(context, name, id);
    const reply = act(context, name, action, { id });
    const { opens } = kind.told.actions.find((one) => one.name === action) ?? {};
    return { status: 200, body: opens ? { link: String(Object(reply).link) } : {} };
  },
} satisfies Partial<ConsoleHandlers>;
