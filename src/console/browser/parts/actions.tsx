/** Actions on an item, as buttons or as a menu (`popover.tsx`). */
import { act } from './notices.tsx';

export interface Action {
  readonly label: string;
  /** The effect of the action. Menus show it. */
  readonly hint?: string;
  readonly isPrimary?: boolean;
  /** The action deletes or disconnects something. It is shown in red, apart from the other actions. */
  readonly isDangerous?: boolean;
  /** For an action that switches something on and off: whether it is on. */
  readonly isOn?: boolean;
  choose(): unknown;
}

/** An action that makes a call. @param done the notice after it succeeds */
export const calling = (label: string, doing: () => Promise<unknown>, done?: string): Action => ({
  label,
  choose: () => act(doing, done),
});

interface ButtonsProps {
  readonly actions: readonly Action[];
  readonly of?: string;
  readonly className?: string;
}

/** @param of the name of the row that the actions change, if a page has several sets of these buttons */
export const Buttons = ({ actions, of, className = '' }: ButtonsProps) => (
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
