/** What may stand in one environment only, since it selects the environment (behaviour E2, E5). */
import { draftFault, type EnvironmentDraft } from './draft.ts';
import type { Faults } from './fault.ts';

/** Adds a fault for every id, client and bearer that two environments of a scenario have. */
export const refuseShared = (drafts: readonly EnvironmentDraft[], faults: Faults): void => {
  const ids = claims(faults, 'id');
  const clients = claims(faults, 'client_id');
  const bearers = claims(faults, 'bearer');
  for (const { name, head, sections, access_tokens } of drafts) {
    const { id } = head.form;
    if (id !== undefined) ids(id, name, (message) => draftFault(head, 'id', message));
    for (const draft of sections.clients) {
      const { client_id } = draft.form;
      if (client_id !== undefined)
        clients(client_id, name, (message) => draftFault(draft, 'client_id', message));
    }
    for (const token of access_tokens)
      bearers(token, name, (message) => draftFault(head, 'access_tokens', message));
  }
};

type Claim = (
  value: string,
  environment: string,
  toFault: (message: string) => ReturnType<typeof draftFault>,
) => void;

const claims = (faults: Faults, noun: string): Claim => {
  const holders = new Map<string, string>();
  return (value, environment, toFault) => {
    const holder = holders.get(value);
    if (holder === undefined) holders.set(value, environment);
    else if (holder !== environment)
      faults.add(toFault(`the environment ${holder} has the same ${noun}; each needs its own`));
  };
};
