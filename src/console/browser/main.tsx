/** Shows the console or a reference, depending on the address of the page. */
import { useEffect } from 'preact/hooks';
import { ClockControl } from './clock-control.tsx';
import { Frame } from './frame.tsx';
import { readEnvironments } from './live/api.ts';
import { type Environment, EnvironmentProvider, useEnvironment } from './live/environment.tsx';
import { Loading, useLoaded } from './live/loaded.tsx';
import { useStore } from './live/store.ts';
import { follow } from './live/stream.ts';
import { resetEnvironment } from './live/undo.ts';
import { ICONS } from './parts/icons.tsx';
import { startPage } from './parts/page.tsx';
import { Reference } from './reference/reference.tsx';
import { addressOf, place } from './route.ts';
import { Navigation } from './views/navigation.tsx';
import { findView, type View } from './views/views.tsx';

const Console = () => {
  const { environment: wanted, view: viewId } = useStore(place);
  const roster = useLoaded('', readEnvironments);
  const view = findView(viewId);
  return (
    <Loading from={roster}>
      {(environments) => {
        const isWanted = ({ name, id }: Environment): boolean =>
          wanted === '' || name === wanted || id === wanted;
        const environment = environments.find(isWanted);
        if (!environment)
          return <Missing name={wanted} view={view.id} environments={environments} onRoster={roster.read} />;
        return (
          <EnvironmentProvider
            key={environment.name}
            environment={environment}
            environments={environments}
            onRoster={roster.read}
          >
            <Shown view={view} />
          </EnvironmentProvider>
        );
      }}
    </Loading>
  );
};

const Shown = ({ view }: { readonly view: View }) => {
  const { name, environments } = useEnvironment();
  return (
    <Frame
      page=""
      title={view.title}
      environment={name}
      environments={environments}
      view={view.id}
      tools={<Tools />}
      navigation={<Navigation environment={name} view={view} />}
    >
      {view.draw()}
    </Frame>
  );
};

/** Buttons for scenario, faults, clock and reset. */
const Tools = () => {
  const environment = useEnvironment();
  const { name, details } = environment;
  const faults = environment.faults.value?.faults.filter(({ used_up }) => !used_up).length ?? 0;
  return (
    <>
      <span class="scenario" title="The scenario that Reset goes back to">
        scenario {details.scenario}
      </span>
      {faults > 0 && (
        <a class="button small bad" href={addressOf({ environment: name, view: 'faults' })}>
          {faults} {faults === 1 ? 'fault' : 'faults'}
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
    () => follow(name || 'current', ({ event }) => ['environments', 'open'].includes(event) && onRoster()),
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

startPage(location.pathname.endsWith('/docs') ? Reference : Console);
