/** The layout of a view: a heading with buttons, links at its left, a search, cards and facts, and a panel at its right. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Action } from './acts.ts';
import { Buttons, ICONS } from './buttons.tsx';

/** What stands at places of a view, if it is given. */
type Slots<Names extends string> = Readonly<Partial<Record<Names, ComponentChildren>>>;

type ScreenProps = Slots<'count' | 'actions' | 'panel' | 'side' | 'children'> & { readonly title: string };

export const Screen = ({ title, count, actions, panel, side, children }: ScreenProps) => (
  <div class="view">
    {side}
    <section class="list" aria-label={title}>
      <header class="bar">
        <h1 tabIndex={-1}>
          {title} <small class="digits">{count}</small>
        </h1>
        {actions}
      </header>
      {children}
    </section>
    {panel}
  </div>
);

/** For `ref`: scrolls to the element as soon as it is drawn. */
export const reveal = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

type SideLink = Slots<'children'> &
  Readonly<{ group: string; href: string; title?: string; isChosen: boolean }>;
type SideProps = Slots<'children'> & Readonly<{ label: string; links: readonly SideLink[]; class?: string }>;

/** Links to the parts of a view. The links of a group follow one another, below its name. */
export const Side = ({ label, links, children, ...look }: SideProps) => (
  <nav class="side" {...look} aria-label={label}>
    {children}
    {links.map(({ group, isChosen, ...link }, place) => [
      group !== links[place - 1]?.group && <h2>{group}</h2>,
      <a {...link} ref={isChosen ? reveal : null} aria-current={isChosen ? 'page' : undefined} />,
    ])}
  </nav>
);

/** Closes a panel by Escape, after an open menu. The focus goes to its heading, and back to where it was. */
const usePanel = (close: () => void) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const hear = ({ key }: KeyboardEvent): unknown =>
      key === 'Escape' && !document.querySelector(':popover-open, :modal') && close();
    document.addEventListener('keydown', hear);
    // On a small screen, the panel hides the rest of the page.
    const stays = opener?.closest('.list') && opener.checkVisibility({ visibilityProperty: true });
    if (!stays) heading.current?.focus();
    return () => {
      document.removeEventListener('keydown', hear);
      // Later, when the panel is gone and the rest of the page is back.
      setTimeout(() => opener instanceof HTMLElement && !document.querySelector('.panel') && opener.focus());
    };
  }, []);
  return heading;
};

/** @param tools buttons beside the close button */
type PanelProps = Slots<'mark' | 'actions' | 'children'> &
  Readonly<{ title: string; tools?: readonly Action[]; close: () => void }>;

/** A panel next to the list, or over the page on a small screen. */
export const Panel = ({ title, mark, tools = [], close, actions, children }: PanelProps) => {
  const leave = { label: `Close ${title}`, face: ICONS.close, choose: close };
  return (
    <aside class="panel" aria-label={title}>
      <header>
        {mark}
        <h2 ref={usePanel(close)} tabIndex={-1}>
          {title.split(/(?=[A-Z])/).flatMap((word) => [word, <wbr />])}
        </h2>
        <Buttons className="bare small" actions={[...tools, leave]} />
      </header>
      {actions && <div class="actions">{actions}</div>}
      {children}
    </aside>
  );
};

/** For `onSubmit` of a form: hands over what its fields hold, by their names. Spaces can indent a text of several lines. */
export const submitted =
  (use: (fields: Readonly<Record<string, string>>) => unknown) =>
  (event: Event & { readonly currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    const trim = (text: string): string => (text.includes('\n') ? text : text.trim());
    const fields = [...new FormData(event.currentTarget)];
    use(Object.fromEntries(fields.map(([name, value]) => [name, trim(String(value))])));
  };

type SearchFieldProps = Readonly<{ label: string; text: string | undefined; find(text: string): void }>;

export const SearchField = ({ label, text = '', find }: SearchFieldProps) => (
  <label class="search">
    {ICONS.search}
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={text}
      onInput={({ currentTarget }) => find(currentTarget.value)}
    />
  </label>
);

export const hasWords = (text: string, query: string): boolean => {
  const words = query.toLowerCase().split(/\s+/);
  return words.every((word) => text.toLowerCase().includes(word));
};

type Fact = readonly [name: ComponentChildren, value: ComponentChildren];
type FactsProps = { readonly of: readonly Fact[]; readonly className?: string };

/** A list of names and values. Leaves out values that are undefined or empty. */
export const Facts = ({ of, className = 'facts' }: FactsProps) => (
  <dl class={className}>
    {of.map(
      ([name, value = '']) =>
        value !== '' && (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

type TitledProps = Slots<'title' | 'children'> & { readonly id: string; readonly className?: string };

/** A part of a view with a heading. Screen readers use the heading as the name of the part. */
export const Titled = ({ id, title, className, children }: TitledProps) => (
  <section class={className} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** Turns an API name into words: `token_expires_at` becomes "Token expires at". */
export const toWords = (name: string): string => {
  const words = name.replaceAll(/[_.]/g, ' ').replace(/\b(?:id|url|ttl)(?=s?$)/i, (end) => end.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
};
