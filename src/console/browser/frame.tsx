/** What surrounds every view: environment, clock, reset, navigation. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ClockControl } from './clock-control.tsx';
import { EnvironmentPicker } from './environment-picker.tsx';
import { useEnvironment } from './live/environment.tsx';
import { resetEnvironment } from './live/undo.ts';
import { ICONS } from './parts/icons.tsx';
import { addressOf } from './route.ts';
import { GROUPS, type View } from './views/views.tsx';

export const Frame = ({ view, children }: { readonly view: View; readonly children: ComponentChildren }) => {
  const environment = useEnvironment();
  const { name, details, environments, isConnected } = environment;
  const faults = environment.faults.value?.faults.length ?? 0;
  const main = useRef<HTMLElement>(null);
  useFocusKept(main);
  return (
    <div class="frame">
      <header class="top">
        <a class="brand" href="./" aria-label="Connected Accounts Mock">
          {ICONS.brand} <span>Connected Accounts Mock</span>
        </a>
        <EnvironmentPicker name={name} environments={environments} view={view.id} />
        <span class="scenario" title="The scenario that Reset goes back to">
          scenario {details.scenario}
        </span>
        {faults > 0 && (
          <a class="button small bad" href={addressOf({ environment: name, view: 'faults' })}>
            {faults} <span>{faults === 1 ? 'fault' : 'faults'}</span>
          </a>
        )}
        <ClockControl />
        <button type="button" class="reset" aria-label="Reset" onClick={() => resetEnvironment(environment)}>
          {ICONS.reset} <span>Reset</span>
        </button>
        <span class={isConnected ? 'pulse live' : 'pulse'} role="status">
          {isConnected ? 'Live' : 'Reconnecting…'}
        </span>
      </header>
      <Navigation environment={name} view={view} />
      <main ref={main}>{children}</main>
    </div>
  );
};

const Navigation = ({ environment, view }: { readonly environment: string; readonly view: View }) => {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [view]);
  return (
    <nav class="side" aria-label="Views">
      {GROUPS.map(({ title, views }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {views.map(({ id, title: text }) => (
              <li key={id}>
                <a
                  ref={id === view.id ? current : null}
                  href={addressOf({ environment, view: id })}
                  aria-current={id === view.id ? 'page' : undefined}
                >
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div>
        <h2>Read</h2>
        <ul>
          {READ.map(([address, text]) => (
            <li key={address}>
              <a href={`${address}#/${encodeURIComponent(environment)}`} target="_blank" rel="noopener">
                {text} {ICONS.open}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
};

const READ = [
  ['docs', 'API reference'],
  ['docs?of=control', 'Control plane'],
  ['guide/', 'Guide'],
] as const;

/**
 * Focus that goes with what is removed falls to the page, and the next key does something else: it goes to the heading.
 * @param place what may be removed within it; it has a heading of the first level
 */
const useFocusKept = (place: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    let last: EventTarget | null = null;
    const remember = ({ target }: FocusEvent): void => {
      last = target;
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || !(last instanceof Node) || last.isConnected) return;
      const heading = place.current?.querySelector('h1');
      heading?.setAttribute('tabindex', '-1');
      heading?.focus();
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
