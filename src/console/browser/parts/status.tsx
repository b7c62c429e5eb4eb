/** A status as a coloured word. If the user can change it, the word opens a menu of moves. */

import type { Action } from './actions.tsx';
import { ICONS } from './icons.tsx';
import { Menu } from './popover.tsx';

const TONES: Readonly<Record<string, string>> = {
  ACTIVE: 'good',
  COMPLETED: 'good',
  SUCCESS: 'good',
  OPEN: 'info',
  EXPIRED: 'bad',
  FAILED: 'bad',
  DISCONNECTED: 'bad',
  INVITE_EXPIRED: 'bad',
  PENDING_AUTH: 'warn',
  PENDING_VERIFICATION: 'warn',
  PENDING_INVITE: 'warn',
  PENDING: 'warn',
  IN_PROGRESS: 'warn',
};

const toneOf = (status: string): string => TONES[status] ?? 'quiet';

interface StatusProps {
  readonly status: string;
  /** The name of the row with this status. */
  readonly of: string;
  readonly moves?: readonly Action[];
}

export const Status = ({ status, of, moves = [] }: StatusProps) =>
  moves.length === 0 ? (
    <span class={`status ${toneOf(status)}`}>{status}</span>
  ) : (
    <Menu
      className={`status ${toneOf(status)}`}
      label={`${status}: move ${of}`}
      items={moves}
      face={
        <>
          {status} {ICONS.caret}
        </>
      }
    />
  );
