/** Ways to take a text out of the page: to the clipboard, or as a file. */
import { useState } from 'preact/hooks';
import { ICONS } from './icons.tsx';
import { tell } from './notices.tsx';

/** Puts a text on the clipboard; where a page may not do that, it shows the text, selected. */
export const CopyButton = ({
  label,
  text,
  done = 'Copied.',
}: {
  readonly label: string;
  readonly text: string;
  /** What is said once it is copied. */
  readonly done?: string;
}) => {
  const [state, setState] = useState<'idle' | 'done' | 'shown'>('idle');
  const copy = async (): Promise<void> => {
    // Only pages of localhost and https have a clipboard, and a browser may refuse it even there.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (!isCopied) return setState('shown');
    tell(done);
    setState('done');
    setTimeout(() => setState('idle'), 2_000);
  };
  return (
    <>
      <button type="button" class="small" onClick={copy}>
        {state === 'done' ? ICONS.done : ICONS.copy} {label}
      </button>
      {state === 'shown' && (
        <label class="copied">
          {`This page may not use the clipboard. Press Ctrl+C. ${done === 'Copied.' ? '' : done}`}
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

/** Has the browser save something as a file. */
export const saveFile = (name: string, content: Blob | string): void => {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};
