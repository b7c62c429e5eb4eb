/** The console: which environment, which view, and what surrounds them. */
import { useEffect } from 'preact/hooks';
import { Frame } from './frame.tsx';
import { readEnvironments } from './live/api.ts';
import { follow } from './live/connection.ts';
import { type Environment, EnvironmentProvider } from './live/environment.tsx';
import { Loading, useLoaded } from './live/loaded.tsx';
import { useStore } from './live/store.ts';
import { startPage } from './parts/page.tsx';
import { addressOf, place } from './route.ts';
import { findView } from './views/views.tsx';

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
            <Frame view={view}>{view.draw()}</Frame>
          </EnvironmentProvider>
        );
      }}
    </Loading>
  );
};

/** An address of an environment that was dropped, or that a restart did not bring back. */
const Missing = ({
  name,
  view,
  environments,
  onRoster,
}: {
  readonly name: string;
  readonly view: string;
  readonly environments: readonly Environment[];
  readonly onRoster: () => void;
}) => {
  useEffect(
    () =>
      follow(name, {
        onOpen: onRoster,
        onLost: () => {},
        onEvent: ({ event }) => event === 'environments' && onRoster(),
      }),
    [name],
  );
  return (
    <main class="gate">
      <h1>{name === '' ? 'There is no environment' : `There is no environment ${name}`}</h1>
      <p>It was deleted, or the mock was started again without it. This page goes on when it is back.</p>
      {environments.length > 0 && <p>Others that are there:</p>}
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

startPage(Console);
