/** Actions on an item as buttons, and buttons that copy or save a text. */
import { useState } from 'preact/hooks';
import { ICONS } from './icons.tsx';
import { act, tell } from './notices.tsx';

/** An action, as a button or in a menu (`popover.tsx`). */
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
  /** The name of the row that the actions change, if a page has several sets of these buttons. */
  readonly of?: string;
  readonly className?: string;
}

export const Buttons = ({ actions, of, className = '' }: ButtonsProps) => (
  <>
    {/* Without keys: a button whose label changes, such as Pause, stays the same one and keeps the focus. */}
    {actions.map(({ label, hint, choose, isPrimary, isDangerous, isOn }) => (
      <button
        type="button"
        class={`${className}${isPrimary ? ' primary' : ''}${isDangerous ? ' danger' : ''}`}
        title={hint}
        aria-label={of && `${label} ${of}`}
        aria-pressed={isOn}
        onClick={choose}
      >
        {label}
      </button>
    ))}
  </>
);

interface CopyButtonProps {
  readonly label: string;
  readonly text: string;
  /** A remark about the text, shown after copying. */
  readonly note?: string;
  /** The name of the text's owner, if a page has several of these buttons. */
  readonly of?: string;
}

/** Copies a text to the clipboard. If the page may not use the clipboard, shows the text, selected. */
export const CopyButton = ({ label, text, note = '', of }: CopyButtonProps) => {
  const [state, setState] = useState<'idle' | 'done' | 'shown'>('idle');
  const copy = async (): Promise<void> => {
    try {
      // Browsers have a clipboard only on localhost and https, and may refuse it even there.
      await navigator.clipboard.writeText(text);
    } catch {
      return setState('shown');
    }
    tell(`Copied. ${note}`);
    setState('done');
    setTimeout(() => setState('idle'), 2_000);
  };
  return (
    <>
      <button type="button" class="small" aria-label={of && `${label} ${of}`} onClick={copy}>
        {state === 'done' ? ICONS.done : ICONS.copy} {label}
      </button>
      {state === 'shown' && (
        <label class="copied">
          {`This page may not use the clipboard. Press Ctrl+C. ${note}`}
          <textarea
            ref={(area) => area?.select()}
            readOnly
            rows={Math.min(12, text.split('\n').length + 1)}
            value={text}
            onBlur={() => setState('idle')}
          />
        </label>
      )}
    </>
  );
};

/** Makes the browser save something as a file. */
export const saveFile = (name: string, content: Blob): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
