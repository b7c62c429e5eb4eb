/** The frame of the console and the references: the bar on top, the navigation, and the area for the view. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from './live/api.ts';
import { ICONS } from './parts/icons.tsx';
import { Popover } from './parts/popover.tsx';
import { addressOf } from './route.ts';
import SITE from './site.json';

interface FrameProps {
  /** The address of this page in `site.json`. */
  readonly page: string;
  /** The title of the view. */
  readonly title: string;
  /** The name of the environment that is shown. */
  readonly environment: string;
  readonly environments: readonly Schemas['Environment'][];
  /** The view to open when the user chooses another environment. */
  readonly view: string;
  /** Buttons at the right of the bar. */
  readonly tools?: ComponentChildren;
  readonly navigation: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Frame = (props: FrameProps) => {
  const { page, title, environment, tools, navigation, children } = props;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const focusHeading = (): void => main.current?.querySelector('h1')?.focus();
  useFocusKept(main, focusHeading);
  useEffect(() => {
    document.title = `${title} · ${environment} · Connected Accounts Mock`;
    if (!isFirst.current) focusHeading();
    isFirst.current = false;
  }, [title, environment]);
  return (
    <div class={page === '' ? 'frame' : 'frame reference'}>
      {/* A button, since the address after # says which view is shown. */}
      <button type="button" class="skip" onClick={focusHeading}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href="./" aria-label="Connected Accounts Mock">
          {ICONS.brand}
        </a>
        <nav class="site" aria-label="Site">
          {SITE.map(([address = '', text]) => (
            <a
              key={address}
              href={`${address || './'}${address.startsWith('guide') ? '' : addressOf({ environment })}`}
              aria-current={address === page ? 'true' : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <div class="tools">
          <EnvironmentPicker {...props} />
          {tools}
        </div>
      </header>
      {navigation}
      <main ref={main}>{children}</main>
    </div>
  );
};

/**
 * Moves the focus to the heading when the focused element is removed. Without a focus, the next key would act on the
 * whole page.
 */
const useFocusKept = (place: RefObject<HTMLElement | null>, focusHeading: () => void): void => {
  useEffect(() => {
    let last: EventTarget | null = null;
    const remember = ({ target }: FocusEvent): void => {
      last = target;
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || !(last instanceof Node) || last.isConnected) return;
      focusHeading();
      last = document.activeElement;
    });
    document.addEventListener('focusin', remember);
    if (place.current) observer.observe(place.current, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [place]);
};

/** The most environments in the list of the picker. A search finds the others. */
const LISTED = 50;

/** Chooses the environment. A click or Enter chooses; typing and arrow keys alone do not. */
const EnvironmentPicker = ({ environment: name, environments, view }: FrameProps) => {
  const [wanted, setWanted] = useState('');
  const found = environments.filter((each) => each.name.toLowerCase().includes(wanted.toLowerCase()));
  const face = [<span class="unseen">Environment: </span>, <span>{name}</span>, ' ', ICONS.caret];
  const choose = (): void => {
    if (found[0]) location.assign(addressOf({ environment: found[0].name, view }));
  };
  return (
    <Popover label="Environments" className="environment" face={face}>
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            choose();
            close();
          }}
        >
          <input
            type="search"
            aria-label="Search environments"
            placeholder="Search"
            onInput={({ currentTarget }) => setWanted(currentTarget.value.trim())}
          />
          <ul class="choices">
            {found.slice(0, LISTED).map((each) => (
              <li key={each.id}>
                <a
                  href={addressOf({ environment: each.name, view })}
                  aria-current={each.name === name ? 'true' : undefined}
                  onClick={close}
                >
                  {each.name} <small>{each.scenario}</small>
                </a>
              </li>
            ))}
          </ul>
          {found.length > LISTED && <p class="quiet">{found.length - LISTED} more: search to find them.</p>}
          {found.length === 0 && <p class="quiet">No name contains this.</p>}
        </form>
      )}
    </Popover>
  );
};

interface LinkGroupProps {
  readonly title: string;
  readonly links: readonly {
    readonly id: string;
    readonly href: string;
    readonly text: ComponentChildren;
    readonly hint?: string;
  }[];
  /** The id of the link to the view that is shown. */
  readonly chosen: string | undefined;
}

/** A heading and links in the navigation at the side. */
export const LinkGroup = ({ title, links, chosen }: LinkGroupProps) => {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [chosen]);
  return (
    <div>
      <h2>{title}</h2>
      <ul>
        {links.map(({ id, href, text, hint }) => (
          <li key={id}>
            <a
              ref={id === chosen ? current : null}
              href={href}
              title={hint}
              aria-current={id === chosen ? 'page' : undefined}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
};
