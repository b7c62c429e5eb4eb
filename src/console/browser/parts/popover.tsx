/** A button that opens a small window or a menu. Escape or a click elsewhere closes it. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Action } from './buttons.tsx';

interface PopoverProps {
  /** The name of the window; for a menu, also the button's name. */
  readonly label: string;
  readonly className: string;
  /** The content of the button. */
  readonly face: ComponentChildren;
  readonly isMenu?: boolean;
  /** @param close closes the window and focuses the button */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button with a window for fields and lists. */
export const Popover = ({ label, className, face, isMenu = false, children }: PopoverProps) => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const opened = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const arrange = (): void => {
    if (!button.current || !opened.current) return;
    placeBelow(opened.current, button.current);
    opened.current.querySelector<HTMLElement>('input, button')?.focus();
  };
  useLayoutEffect(() => {
    if (isOpen) arrange(); // the content exists only while the window is open
  }, [isOpen]);
  const kind = { ...(isMenu ? AS_MENU : AS_WINDOW), 'aria-label': label };
  const close = (): void => {
    opened.current?.hidePopover();
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={className}
        aria-label={isMenu ? label : undefined}
        aria-haspopup={isMenu ? 'menu' : 'dialog'}
        aria-expanded={isOpen}
        aria-controls={id}
        popovertarget={id}
        onKeyDown={(event) => {
          if (!isMenu || event.key !== 'ArrowDown') return;
          event.preventDefault();
          opened.current?.showPopover();
        }}
      >
        {face}
      </button>
      <div
        ref={opened}
        id={id}
        {...kind}
        popover="auto"
        onToggle={({ newState }) => {
          // If the window is closed and opened again at once, the browser reports only the opening.
          if (isOpen && newState === 'open') arrange();
          setOpen(newState === 'open');
        }}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
};

const MARGIN = 8;
const GAP = 4;

/** Places the window below its button, or above it if there is not enough room. Keeps it within the browser window. */
const placeBelow = (opened: HTMLElement, button: HTMLElement): void => {
  const { left, top, bottom } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = opened;
  const isAbove = bottom + height + MARGIN > innerHeight && top > height;
  opened.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  opened.style.top = `${isAbove ? top - height - GAP : bottom + GAP}px`;
};

type MenuProps = Omit<PopoverProps, 'isMenu' | 'children'> & { readonly items: readonly Action[] };

/** A button with a menu: a click, Enter or arrow down opens it, and arrows move through it. */
export const Menu = ({ items, ...props }: MenuProps) => (
  <Popover {...props} isMenu>
    {(close) =>
      items.map(({ label, hint, isDangerous, choose }) => (
        <button
          type="button"
          role="menuitem"
          class={isDangerous ? 'danger' : undefined}
          tabIndex={-1}
          key={label}
          onClick={() => {
            close();
            choose();
          }}
        >
          <span>{label}</span>
          {hint !== undefined && <small>{hint}</small>}
        </button>
      ))
    }
  </Popover>
);

const STEPS: Readonly<Record<string, (place: number) => number>> = {
  ArrowDown: (place) => place + 1,
  ArrowUp: (place) => place - 1,
  Home: () => 0,
  End: () => -1,
};

const walk = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
  const { currentTarget: menu, key } = event;
  if (key === 'Tab') menu.hidePopover();
  const step = STEPS[key];
  if (!step) return;
  event.preventDefault();
  const items = [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const place = step(items.findIndex((item) => item.matches(':focus')));
  items[(place + items.length) % items.length]?.focus();
};

const AS_WINDOW = { class: 'sheet', role: 'dialog' } as const;
const AS_MENU = { class: 'menu', role: 'menu', onKeyDown: walk } as const;
