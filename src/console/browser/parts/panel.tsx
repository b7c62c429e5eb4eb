/** What a chosen row holds, beside the table, or over it on a small screen. Escape closes it from anywhere, unless a menu is open that Escape closes first. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ICONS } from './icons.tsx';

export const Panel = ({
  title,
  close,
  actions,
  children,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    heading.current?.focus();
    return () => {
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
        <button type="button" class="bare" aria-label="Close" onClick={close}>
          {ICONS.close}
        </button>
      </header>
      {actions && <div class="actions">{actions}</div>}
      {children}
    </aside>
  );
};
