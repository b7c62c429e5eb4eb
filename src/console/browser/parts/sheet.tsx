/** A button that opens a small window below it, for fields and lists; Escape or a click beside it closes it. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { placeBelow } from './place-below.ts';

export const Sheet = ({
  label,
  className,
  face,
  children,
}: {
  /** What the window is called. */
  readonly label: string;
  readonly className: string;
  /** What the button shows. */
  readonly face: ComponentChildren;
  /** @param close closes the window and gives the button the focus back */
  readonly children: (close: () => void) => ComponentChildren;
}) => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (!isOpen || !sheet.current || !button.current) return;
    placeBelow(sheet.current, button.current); // what it holds is there only while it is open
    sheet.current.querySelector<HTMLElement>('input, button')?.focus();
  }, [isOpen]);
  const close = (): void => {
    sheet.current?.hidePopover();
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={className}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        popovertarget={id}
      >
        {face}
      </button>
      <div
        ref={sheet}
        id={id}
        class="sheet"
        role="dialog"
        popover="auto"
        aria-label={label}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
};
