/** What scrolls must be reachable by keyboard, and so has a name. */
import type { ComponentChildren } from 'preact';

export const Scrolling = ({
  label,
  className,
  children,
}: {
  readonly label: string;
  readonly className: string;
  readonly children: ComponentChildren;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by arrow keys needs the focus
  <section class={className} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
