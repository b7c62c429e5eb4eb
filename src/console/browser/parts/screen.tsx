/** The layout of a view: a heading with buttons, the content, and a panel at the side. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ICONS } from './icons.tsx';

interface ScreenProps {
  readonly title: string;
  /** A number next to the title. */
  readonly count?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** The panel, which shows the chosen row. */
  readonly panel?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Screen = ({ title, count, actions, panel, children }: ScreenProps) => (
  <div class={panel ? 'view split' : 'view'}>
    <section class="list" aria-label={title}>
      <header class="bar">
        <h1 tabIndex={-1}>
          {title} <span class="count">{count}</span>
        </h1>
        {actions}
      </header>
      {children}
    </section>
    {panel}
  </div>
);

/** On a screen of this width or less, a panel covers the page (`small.css`). */
const COVERS = '(max-width: 60rem)';

/** Makes the rest of the page inert while a panel covers it. */
const coverRest = (isCovered: boolean): void => {
  for (const part of document.querySelectorAll<HTMLElement>('.skip, .top, .side, .list'))
    part.inert = isCovered;
};

interface PanelProps {
  readonly title: string;
  readonly close: () => void;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A panel next to the list, or over the page on a small screen. Escape closes an open menu first, then the panel. */
export const Panel = ({ title, close, actions, children }: PanelProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const small = matchMedia(COVERS);
    const adapt = (): void => coverRest(small.matches);
    adapt();
    small.addEventListener('change', adapt);
    heading.current?.focus();
    return () => {
      small.removeEventListener('change', adapt);
      coverRest(false);
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  useLayoutEffect(() => {
    const leave = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape' && !document.querySelector(':popover-open')) close();
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [close]);
  return (
    <aside class="panel" aria-label={title}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="bare" aria-label={`Close ${title}`} onClick={close}>
          {ICONS.close}
        </button>
      </header>
      {actions && <div class="actions">{actions}</div>}
      {children}
    </aside>
  );
};
