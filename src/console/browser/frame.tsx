/** The frame of the console and the references: the bar on top, the navigation, and the area for the view. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { EnvironmentPicker } from './environment-picker.tsx';
import type { Schemas } from './live/api.ts';
import { ICONS } from './parts/icons.tsx';
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

export const Frame = ({
  page,
  title,
  environment,
  environments,
  view,
  tools,
  navigation,
  children,
}: FrameProps) => {
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
              href={`${address || './'}${address.startsWith('guide') ? '' : `#/${encodeURIComponent(environment)}`}`}
              aria-current={address === page ? 'true' : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <div class="tools">
          <EnvironmentPicker name={environment} environments={environments} view={view} />
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
