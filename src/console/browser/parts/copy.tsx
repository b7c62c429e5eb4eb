/** A button that puts a text on the clipboard. */
import { useState } from 'preact/hooks';
import { ICONS } from './icons.tsx';
import { act } from './notices.tsx';

export const CopyButton = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await act(writeClipboard(text), 'Copied.');
    setDone(true);
    setTimeout(() => setDone(false), 2_000);
  };
  return (
    <button type="button" class="small" onClick={copy}>
      {isDone ? ICONS.done : ICONS.copy} {label}
    </button>
  );
};

const writeClipboard = async (text: string): Promise<void> => {
  // Only pages of localhost and https have a clipboard.
  if (!navigator.clipboard)
    throw new Error('This browser keeps the clipboard from pages without https. Select the text instead.');
  await navigator.clipboard.writeText(text);
};
