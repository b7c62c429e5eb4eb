/** What surrounds every view: environment, clock, reset, navigation. */
import type { ComponentChildren } from 'preact';
import { ClockControl } from './clock-control.tsx';
import { call, within } from './live/api.ts';
import { useEnvironment } from './live/environment.tsx';
import { ICONS } from './parts/icons.tsx';
import { act } from './parts/notices.tsx';
import { addressOf } from './route.ts';
import { GROUPS, type View } from './views/views.tsx';

export const Frame = ({
  environments,
  refresh,
  view,
  go,
  children,
}: {
  readonly environments: readonly string[];
  readonly refresh: () => void;
  readonly view: View;
  readonly go: (environment: string) => void;
  readonly children: ComponentChildren;
}) => {
  const { name, details, isConnected } = useEnvironment();
  return (
    <div class="frame">
      <header class="top">
        <a class="brand" href="./" aria-label="Connected Accounts Mock">
          {ICONS.brand} <span>Connected Accounts Mock</span>
        </a>
        <label class="environment">
          <span class="unseen">Environment</span>
          <select value={name} onFocus={refresh} onChange={({ currentTarget }) => go(currentTarget.value)}>
            {environments.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <span class="scenario" title="The scenario that Reset goes back to">
          scenario {details.scenario}
        </span>
        <ClockControl />
        <button
          type="button"
          class="reset"
          aria-label="Reset"
          onClick={() => act(call('POST', within(name, '/reset'), {}), `${name} is at its start again.`)}
        >
          {ICONS.reset} <span>Reset</span>
        </button>
        <span class={isConnected ? 'pulse live' : 'pulse'} role="status">
          {isConnected ? 'Live' : 'Reconnecting…'}
        </span>
      </header>
      <Navigation environment={name} view={view} />
      <main>{children}</main>
    </div>
  );
};

const Navigation = ({ environment, view }: { readonly environment: string; readonly view: View }) => (
  <nav class="side" aria-label="Views">
    {GROUPS.map(({ title, views }) => (
      <div key={title}>
        <h2>{title}</h2>
        <ul>
          {views.map(({ id, title: text }) => (
            <li key={id}>
              <a
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
        <li>
          <a href="docs" target="_blank" rel="noopener">
            API reference {ICONS.open}
          </a>
        </li>
      </ul>
    </div>
  </nav>
);
