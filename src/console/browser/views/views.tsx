/** All views, in the order in which the navigation shows them. */
import type { ComponentChildren } from 'preact';
import type { KindName } from '../live/api.ts';
import { Coverage } from './coverage.tsx';
import { Environments } from './environments.tsx';
import { Faults } from './faults.tsx';
import { Journal } from './journal.tsx';
import { KINDS } from './kinds.ts';
import { Outbox } from './outbox.tsx';
import { Overview } from './overview.tsx';
import { Resources } from './resources.tsx';
import { Credentials, Settings } from './settings.tsx';
import { Snapshots } from './snapshots.tsx';

interface View {
  readonly id: string;
  readonly title: string;
  draw(): ComponentChildren;
}

const FIRST: View = { id: 'overview', title: 'Overview', draw: () => <Overview /> };

const [ACCOUNTS = FIRST, ...OTHERS] = (Object.keys(KINDS) as KindName[]).map((id): View => {
  return { id, title: KINDS[id].title, draw: () => <Resources key={id} kind={id} /> };
});

export const GROUPS: Readonly<Record<string, readonly View[]>> = {
  Watch: [
    FIRST,
    ACCOUNTS,
    { id: 'journal', title: 'Journal', draw: () => <Journal /> },
    { id: 'outbox', title: 'Outbox', draw: () => <Outbox /> },
    { id: 'coverage', title: 'Coverage', draw: () => <Coverage /> },
  ],
  Steer: [
    { id: 'snapshots', title: 'Snapshots, scenarios', draw: () => <Snapshots /> },
    { id: 'faults', title: 'Faults', draw: () => <Faults /> },
    { id: 'settings', title: 'Settings', draw: () => <Settings /> },
    { id: 'environments', title: 'Environments', draw: () => <Environments /> },
    { id: 'credentials', title: 'Credentials', draw: () => <Credentials /> },
  ],
  State: OTHERS,
};

/** The view with this id. Default: the first view. */
export const findView = (id: string): View =>
  Object.values(GROUPS)
    .flat()
    .find((view) => view.id === id) ?? FIRST;
