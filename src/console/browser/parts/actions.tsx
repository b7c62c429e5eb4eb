/** What somebody can do to something: as buttons beside it, or as a menu (`popover.tsx`). */
import { act } from './notices.tsx';

export interface Action {
  readonly label: string;
  /** What choosing it leads to; shown in a menu. */
  readonly hint?: string;
  readonly isPrimary?: boolean;
  /** It takes something away: red, and apart from the others. */
  readonly isDangerous?: boolean;
  /** Of one that can be on or off. */
  readonly isOn?: boolean;
  choose(): unknown;
}

/** An action that is a call. @param done what is said afterwards */
export const calling = (label: string, doing: () => Promise<unknown>, done?: string): Action => ({
  label,
  choose: () => act(doing, done),
});

/** @param of what they are done to, if a page has several of them */
export const Buttons = ({
  actions,
  of,
  className = '',
}: {
  readonly actions: readonly Action[];
  readonly of?: string;
  readonly className?: string;
}) => (
  <>
    {/* Without keys: a button whose label changes, such as Pause, stays the same one and keeps the focus. */}
    {actions.map(({ label, choose, isPrimary, isDangerous, isOn }) => (
      <button
        type="button"
        class={`${className}${isPrimary ? ' primary' : ''}${isDangerous ? ' danger' : ''}`}
        aria-label={of === undefined ? undefined : `${label} ${of}`}
        aria-pressed={isOn}
        onClick={() => choose()}
      >
        {label}
      </button>
    ))}
  </>
);
