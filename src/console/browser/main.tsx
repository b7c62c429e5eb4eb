/** Shows the console or a reference, depending on the address of the page. */
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ClockControl } from './clock-control.tsx';
import { Frame, LinkGroup } from './frame.tsx';
import { controlAuthorization, isAway, readEnvironments, setToken, tokenWanted } from './live/api.ts';
import { type Environment, EnvironmentProvider, useEnvironment } from './live/environment.tsx';
import { Loading, useLoaded } from './live/loaded.tsx';
import { useStore } from './live/store.ts';
import { follow } from './live/stream.ts';
import { ICONS } from './parts/icons.tsx';
import { Notices, resetEnvironment } from './parts/notices.tsx';
import { Reference } from './reference/reference.tsx';
import { addressOf, place } from './route.ts';
import { findView, GROUPS, type View } from './views/views.tsx';

const Console = () => {
  const { environment: wanted, view: viewId } = useStore(place);
  const roster = useLoaded('', readEnvironments);
  const view = findView(viewId);
  return (
    <Loading from={roster}>
      {(environments) => {
        const environment = environments.find(
          ({ name, id }) => wanted === '' || name === wanted || id === wanted,
        );
        const all = { environments, onRoster: roster.read };
        if (!environment) return <Missing {...all} name={wanted} view={view.id} />;
        return (
          <EnvironmentProvider {...all} key={environment.name} environment={environment}>
            <Shown view={view} />
          </EnvironmentProvider>
        );
      }}
    </Loading>
  );
};

const Shown = ({ view: { id: view, title, draw } }: { readonly view: View }) => {
  const { name, environments } = useEnvironment();
  const navigation = (
    <nav class="side" aria-label="Views">
      {Object.entries(GROUPS).map(([group, views]) => {
        const links = views.map(({ id, title: text }) => {
          return { id, text, href: addressOf({ environment: name, view: id }) };
        });
        return <LinkGroup key={group} title={group} links={links} chosen={view} />;
      })}
    </nav>
  );
  const frame = { page: '', title, environment: name, environments, view, navigation };
  return (
    <Frame {...frame} tools={<Tools />}>
      {draw()}
    </Frame>
  );
};

/** Buttons for scenario, faults, clock and reset. */
const Tools = () => {
  const { name, details, faults } = useEnvironment();
  const ready = faults.value?.faults.filter(({ used_up }) => !used_up).length ?? 0;
  return (
    <>
      <span class="scenario" title="The scenario that Reset goes back to">
        scenario {details.scenario}
      </span>
      {ready > 0 && (
        <a class="button small bad" href={addressOf({ environment: name, view: 'faults' })}>
          {ready} {ready === 1 ? 'fault' : 'faults'}
        </a>
      )}
      <ClockControl />
      <button type="button" class="reset" aria-label="Reset" onClick={() => resetEnvironment(name)}>
        {ICONS.reset} <span>Reset</span>
      </button>
    </>
  );
};

interface MissingProps {
  readonly name: string;
  readonly view: string;
  readonly environments: readonly Environment[];
  readonly onRoster: () => void;
}

/** The page for an environment that was deleted, or that does not exist after a restart. */
const Missing = ({ name, view, environments, onRoster }: MissingProps) => {
  useEffect(
    () => follow(name || 'current', (event) => ['environments', 'open'].includes(event) && onRoster()),
    [name],
  );
  return (
    <main class="gate">
      <h1>{name === '' ? 'There is no environment' : `There is no environment ${name}`}</h1>
      <p>
        It was deleted, or the mock was started again without it. This page continues when the environment
        exists again.
      </p>
      {environments.length > 0 && <p>Other environments:</p>}
      <ul class="cards">
        {environments.slice(0, 20).map((each) => (
          <li key={each.id}>
            <a class="button" href={addressOf({ environment: each.name, view })}>
              {each.name} <small>scenario {each.scenario}</small>
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
};

const TokenGate = () => {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <main class="gate">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          setToken(field.current?.value.trim() ?? '');
        }}
      >
        <h1>Control token</h1>
        <p>
          This server was started with <code>--control-token</code>. The token stays in this tab.
        </p>
        {controlAuthorization().Authorization && (
          <p class="problem" role="alert">
            Wrong token.
          </p>
        )}
        <label>
          Token
          <input ref={field} name="token" type="password" required autocomplete="off" />
        </label>
        <button type="submit" class="primary">
          Open
        </button>
      </form>
    </main>
  );
};

const Away = () => (
  <div class="away" role="alert">
    {useStore(isAway) && (
      <p class="problem">The mock does not answer. This page continues when the mock answers again.</p>
    )}
  </div>
);

const Page = () => {
  if (useStore(tokenWanted)) return <TokenGate />;
  return location.pathname.endsWith('/docs') ? <Reference /> : <Console />;
};

const root = document.getElementById('app');
if (root)
  render(
    <>
      <Away />
      <Page />
      <Notices />
    </>,
    root,
  );
