/** What surrounds every view: environment, clock, reset, navigation. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ClockControl } from './clock-control.tsx';
import { useEnvironment } from './live/environment.tsx';
import { resetEnvironment } from './live/undo.ts';
import { useFocusKept } from './parts/focus.ts';
import { ICONS } from './parts/icons.tsx';
import { Sheet } from './parts/sheet.tsx';
import { addressOf } from './route.ts';
import { GROUPS, type View } from './views/views.tsx';

export const Frame = ({ view, children }: { readonly view: View; readonly children: ComponentChildren }) => {
  const environment = useEnvironment();
  const { name, details, isConnected, faults } = environment;
  const main = useRef<HTMLElement>(null);
  useFocusKept(main);
  return (
    <div class="frame">
      <header class="top">
        <a class="brand" href="./" aria-label="Connected Accounts Mock">
          {ICONS.brand} <span>Connected Accounts Mock</span>
        </a>
        <EnvironmentPicker view={view} />
        <span class="scenario" title="The scenario that Reset goes back to">
          scenario {details.scenario}
        </span>
        {faults.value !== undefined && faults.value.length > 0 && (
          <a class="button small bad" href={addressOf({ environment: name, view: 'faults' })}>
            {faults.value.length} <span>{faults.value.length === 1 ? 'fault' : 'faults'}</span>
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

/** Environments that are listed at once; the others are found by searching. */
const LISTED = 50;

/** Chosen by a click or Enter; typing and arrow keys alone change nothing. */
const EnvironmentPicker = ({ view }: { readonly view: View }) => {
  const { name, environments } = useEnvironment();
  const [wanted, setWanted] = useState('');
  const found = environments.filter((each) => each.name.toLowerCase().includes(wanted.toLowerCase()));
  const face = (
    <>
      <span class="unseen">Environment: </span> <span>{name}</span> {ICONS.caret}
    </>
  );
  return (
    <Sheet label="Environments" className="environment" face={face}>
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (found[0]) location.assign(addressOf({ environment: found[0].name, view: view.id }));
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
                  href={addressOf({ environment: each.name, view: view.id })}
                  aria-current={each.name === name ? 'true' : undefined}
                  onClick={close}
                >
                  {each.name} <small>{each.scenario}</small>
                </a>
              </li>
            ))}
          </ul>
          {found.length > LISTED && <p class="quiet">{found.length - LISTED} more: search to find them.</p>}
          {found.length === 0 && <p class="quiet">No environment has this in its name.</p>}
        </form>
      )}
    </Sheet>
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
              <a href={address} target="_blank" rel="noopener">
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
] as const;
