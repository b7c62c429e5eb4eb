/** A button with a menu: opened by click, Enter or arrow down; walked by arrows; left by Escape or a click beside it. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { placeBelow } from './place-below.ts';

export interface MenuItem {
  readonly label: string;
  /** What choosing it leads to. */
  readonly hint?: string;
  choose(): void;
}

export const Menu = ({
  label,
  className,
  items,
  children,
}: {
  /** What the button is called; its text may be shorter. */
  readonly label: string;
  readonly className: string;
  readonly items: readonly MenuItem[];
  readonly children: ComponentChildren;
}) => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (): void => list.current?.showPopover();
  const arrange = (): void => {
    if (!button.current || !list.current) return;
    placeBelow(list.current, button.current);
    focusItem(list.current, 0);
  };
  useLayoutEffect(() => {
    if (isOpen) arrange(); // its items are there only while it is open
  }, [isOpen]);
  const choose = (item: MenuItem): void => {
    list.current?.hidePopover();
    button.current?.focus();
    item.choose();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open();
        }}
      >
        {children}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        popover="auto"
        aria-label={label}
        onToggle={({ newState }) => {
          // Closed and opened again before the first was told, the browser tells the second alone.
          if (isOpen && newState === 'open') arrange();
          setOpen(newState === 'open');
        }}
        onKeyDown={(event) => walk(event)}
      >
        {isOpen &&
          items.map((item) => (
            <button type="button" role="menuitem" tabIndex={-1} key={item.label} onClick={() => choose(item)}>
              <span>{item.label}</span>
              {item.hint !== undefined && <small>{item.hint}</small>}
            </button>
          ))}
      </div>
    </>
  );
};

const focusItem = (menu: HTMLElement, place: number): void => {
  const items = menu.querySelectorAll<HTMLElement>('[role=menuitem]');
  items[(place + items.length) % items.length]?.focus();
};

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
  const items = [...menu.querySelectorAll('[role=menuitem]')];
  focusItem(menu, step(items.indexOf(document.activeElement ?? menu)));
};
