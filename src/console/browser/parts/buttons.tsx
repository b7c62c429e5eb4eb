/** Buttons for actions, menus of actions, and buttons that copy text. */
import type { ComponentChildren, TargetedKeyboardEvent, TargetedToggleEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Action, attempt, tell } from './acts.ts';

/** @param of words that screen readers read after each label, to tell buttons with equal labels apart */
type Looks = Readonly<{ of?: string | undefined; className?: string }>;

export const Button = ({ of = '', className = '', label, face = label, ...action }: Looks & Action) => (
  <button
    type="button"
    class={action.isDangerous ? `${className} danger` : className}
    title={action.hint}
    aria-label={of || face !== label ? `${label} ${of}`.trim() : undefined}
    aria-pressed={action.isOn}
    onClick={action.choose}
  >
    {face}
  </button>
);

/** Without keys, so that a button whose label changes, such as Pause, stays in place and keeps the focus. */
export const Buttons = ({ actions, ...looks }: Looks & { readonly actions: readonly Action[] }) =>
  actions.map((action) => <Button {...looks} {...action} />);

type Copied = Readonly<{ label?: string; text: string; of?: string }>;

/** Without a label, it shows only its icon. */
export const CopyButton = ({ label, text, of }: Copied) => {
  const choose = () =>
    attempt(async () => {
      if (!navigator.clipboard) throw new Error('Browsers let a page copy on localhost or by https only.');
      await navigator.clipboard.writeText(text);
      tell('Copied.');
    });
  return (
    <Button className="small" label={label ?? 'Copy'} face={[ICONS.copy, ' ', label]} {...{ of, choose }} />
  );
};

/** @param label the name of the popover and of its button for screen readers */
type PopoverProps = Readonly<Record<'face' | 'children', ComponentChildren>> &
  Readonly<{ label: string; className: string; id?: string }>;

/** A button that opens something above the page, until one of the buttons in it is chosen. The styles place it. */
export const Popover = ({ label, className, face, id = useId(), children }: PopoverProps) => {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const focusFirst = () => focus(box.current?.querySelector('input, button') ?? null);
  // At once, so that no key is lost. A click shows the popover only later, and what closes gives back the focus.
  useLayoutEffect(focusFirst, [isOpen]);
  const open = ({ newState }: TargetedToggleEvent<HTMLElement>) => newState === 'open' && setOpen(true);
  const settle = ({ newState }: TargetedToggleEvent<HTMLElement>): void => {
    setOpen(newState === 'open');
    focusFirst();
  };
  const close = ({ target }: Event) => (target as Element).closest('button') && box.current?.hidePopover();
  const own = { id, ref: box, onKeyDown: walk, onBeforeToggle: open, onToggle: settle, onClick: close };
  return (
    <>
      <button type="button" class={className} aria-label={label} aria-haspopup="dialog" popovertarget={id}>
        {face}
      </button>
      <div {...own} class="menu" role="dialog" popover="auto" aria-label={label}>
        {isOpen && children}
      </div>
    </>
  );
};

type ChoicesProps = { readonly items: readonly Action[] };

export const Choices = ({ items }: ChoicesProps) =>
  items.map(({ label, hint, isDangerous, choose }) => (
    <button type="button" class={isDangerous ? 'danger' : undefined} onClick={choose}>
      <span>{label}</span> <small>{hint}</small>
    </button>
  ));

export const Menu = ({ items, ...button }: Omit<PopoverProps, 'children'> & ChoicesProps) => (
  <Popover {...button} children={<Choices items={items} />} />
);

/** For `ref`: gives the focus to an element when it appears. */
export const focus = (element: HTMLElement | null): void => element?.focus();

/** The arrow keys walk through the fields and buttons of an element. */
const walk = (event: TargetedKeyboardEvent<HTMLElement>): void => {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  const at = stops.findIndex((stop) => stop.matches(':focus'));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
  if (to === undefined || event.isComposing) return;
  event.preventDefault();
  stops.at(to % stops.length)?.focus();
};

const icon = (drawing: ComponentChildren) => (
  <svg viewBox="0 0 24 24" class="icon" aria-hidden="true" focusable="false">
    {drawing}
  </svg>
);

export const ICONS = {
  brand: icon(<path d="M9 7H7a5 5 0 0 0 0 10h2M15 7h2a5 5 0 0 1 0 10h-2M8.500 12h7" />),
  caret: icon(<path d="m7 10 5 5 5-5" />),
  clock: icon(<path d="M12 3a9 9 0 1 0 .001 0M12 7v5l3.500 2" />),
  close: icon(<path d="M6 6l12 12M18 6 6 18" />),
  copy: icon(<path d="M9 9h11v11H9zM15 9V4H4v11h5" />),
  frozen: icon(<path d="M9 5v14M15 5v14" />),
  up: icon(<path d="m6 14 6-6 6 6" />),
  down: icon(<path d="m6 10 6 6 6-6" />),
  undo: icon(<path d="M9 7 4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2" />),
  search: icon(<path d="M11 4a7 7 0 1 0 .001 0M16.500 16.500 21 21" />),
} as const;
