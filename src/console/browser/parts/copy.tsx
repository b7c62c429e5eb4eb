/** A button that puts a text on the clipboard; where a page may not do that, it shows the text, selected. */
import { useState } from 'preact/hooks';
import { ICONS } from './icons.tsx';
import { tell } from './notices.tsx';

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
