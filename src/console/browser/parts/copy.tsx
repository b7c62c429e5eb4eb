/** Copies a text to the clipboard, or saves it as a file. */
import { useState } from 'preact/hooks';
import { ICONS } from './icons.tsx';
import { tell } from './notices.tsx';

interface CopyButtonProps {
  readonly label: string;
  readonly text: string;
  /** A remark about the text, shown after copying. */
  readonly note?: string;
  /** The name of the text's owner, if a page has several of these buttons. */
  readonly of?: string;
}

/** Copies a text to the clipboard. If the page may not use the clipboard, shows the text, selected. */
export const CopyButton = ({ label, text, note = '', of = '' }: CopyButtonProps) => {
  const [state, setState] = useState<'idle' | 'done' | 'shown'>('idle');
  const copy = async (): Promise<void> => {
    // Browsers have a clipboard only on localhost and https, and may refuse it even there.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (!isCopied) return setState('shown');
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
export const saveFile = (name: string, content: Blob | string): void => {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};
