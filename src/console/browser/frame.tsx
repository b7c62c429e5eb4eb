/** What surrounds every view: environment, clock, reset, navigation. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ClockControl } from './clock-control.tsx';
import { EnvironmentPicker } from './environment-picker.tsx';
import { useEnvironment } from './live/environment.tsx';
import { resetEnvironment } from './live/undo.ts';
import { useFocusKept } from './parts/focus.ts';
import { ICONS } from './parts/icons.tsx';
import { addressOf } from './route.ts';
import { GROUPS, type View } from './views/views.tsx';

export const Frame = ({ view, children }: { readonly view: View; readonly children: ComponentChildren }) => {
  const environment = useEnvironment();
  const { name, details, environments, isConnected, faults } = environment;
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
