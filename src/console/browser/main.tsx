/** Shows the console or an API reference, depending on the page's address. Also lists the views of the console. */
import { type ComponentChildren, render } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { ClockControl } from './clock-control.tsx';
import { Command, CommandButton } from './command.tsx';
import { Frame, focusHeading, LinkGroup } from './frame.tsx';
import { Away, Missing, Notices, TokenGate } from './gates.tsx';
import { type KindName, readList, tokenWanted } from './live/api.ts';
import {
  type EnvironmentDetails,
  EnvironmentProvider,
  type ProviderProps,
  useAnswer,
  useEnvironment,
} from './live/environment.tsx';
import { Loading, useLoaded } from './live/loaded.tsx';
import { useStore } from './live/store.ts';
import { ICONS } from './parts/buttons.tsx';
import { Screen } from './parts/layout.tsx';
import { forgetProblems, resetEnvironment } from './parts/notices.ts';
import { Reference } from './reference/reference.tsx';
import { addressOf, go, place } from './route.ts';
import { Coverage } from './views/coverage.tsx';
import { Environments } from './views/environments.tsx';
import { Faults } from './views/faults.tsx';
import { Journal } from './views/journal.tsx';
import { KINDS } from './views/kinds.ts';
import { Outbox } from './views/outbox.tsx';
import { Resources } from './views/resources.tsx';
import { Settings } from './views/settings.tsx';
import { Snapshots } from './views/snapshots.tsx';
import { Start } from './views/start.tsx';

interface View {
  readonly id: string;
  readonly title: string;
  draw(): ComponentChildren;
}

const FIRST: View = { id: 'start', title: 'Start', draw: () => <Start /> };

const DATA = (Object.keys(KINDS) as KindName[]).map((id): View => {
  return { id, title: KINDS[id].title, draw: () => <Resources key={id} kind={id} /> };
});

const GROUPS: Readonly<Record<string, readonly View[]>> = {
  Calls: [
    FIRST,
    { id: 'journal', title: 'Journal', draw: () => <Journal /> },
    { id: 'faults', title: 'Faults', draw: () => <Faults /> },
    { id: 'coverage', title: 'Coverage', draw: () => <Coverage /> },
    { id: 'outbox', title: 'Outbox', draw: () => <Outbox /> },
  ],
  Data: DATA,
  Control: [
    { id: 'snapshots', title: 'Snapshots, scenarios', draw: () => <Snapshots /> },
    { id: 'settings', title: 'Settings', draw: () => <Settings /> },
    { id: 'environments', title: 'Environments', draw: () => <Environments /> },
  ],
};

const VIEWS = Object.values(GROUPS).flat();

const Console = () => {
  const { view: viewId } = useStore(place);
  const view = VIEWS.find(({ id }) => id === viewId) ?? FIRST;
  return (
    <Frame page="" title={view.title} tools={<Tools />} navigation={<Navigation chosen={view.id} />}>
      {viewId === '' || view.id === viewId ? view.draw() : <Unknown view={viewId} />}
    </Frame>
  );
};

const Navigation = ({ chosen }: { readonly chosen: string }) => {
  const counts: Partial<Record<string, number>> = useAnswer<object>('/resources', 'change').value ?? {};
  return (
    <nav class="side" aria-label="Views">
      {Object.entries(GROUPS).map(([title, views]) => {
        const links = views.map(({ id, title: text }) => [id, [text, presentCount(counts[id])]] as const);
        return <LinkGroup key={title} {...{ title, links, chosen }} />;
      })}
    </nav>
  );
};

/** Only for the eyes: a screen reader would read the number as a part of the view's name. */
const presentCount = (count: number | undefined) =>
  count !== undefined && (
    <small class="digits" aria-hidden="true">
      {count.toLocaleString('en')}
    </small>
  );

const Unknown = ({ view }: { readonly view: string }) => (
  <Screen title={`There is no view “${view}”`}>
    <p>The address may be old or misspelt. These are the views:</p>
    <p class="cluster">
      {VIEWS.map(({ id, title }) => (
        <a key={id} href={addressOf({ view: id })}>
          {title}
        </a>
      ))}
    </p>
  </Screen>
);

const Tools = () => {
  const { details, faults } = useEnvironment();
  const ready = faults.filter(({ used_up }) => !used_up).length;
  return (
    <>
      <span class="scenario" title="Reset returns to this scenario">
        <span>scenario</span> {details.scenario}
      </span>
      {ready > 0 && (
        <a class="button small bad" href={addressOf({ view: 'faults' })}>
          {ready} {ready === 1 ? 'fault' : 'faults'}
        </a>
      )}
      <CommandButton />
      <ClockControl />
      <button type="button" class="reset" aria-label="Reset" onClick={() => resetEnvironment()}>
        {ICONS.reset} <span>Reset</span>
      </button>
    </>
  );
};

const isReference = location.pathname.endsWith('/docs');

/** The page for the environment of the address. An address without an environment leads to the first one. */
const Page = ({ environments, onRoster }: Pick<ProviderProps, 'environments' | 'onRoster'>) => {
  const { environment: wanted } = useStore(place);
  const first = wanted === '' || isReference ? environments[0] : undefined;
  const environment = environments.find(({ name, id }) => wanted === name || wanted === id) ?? first;
  const name = environment?.name;
  useLayoutEffect(() => {
    if (name !== undefined && name !== wanted) go({ environment: name });
  });
  useEffect(() => forgetProblems, [name]);
  if (!environment) return <Missing name={wanted} {...{ environments, onRoster }} />;
  if (name !== wanted) return null;
  return (
    <EnvironmentProvider key={name} {...{ environment, environments, onRoster }}>
      {isReference ? <Reference /> : <Console />}
      <Command views={VIEWS} />
    </EnvironmentProvider>
  );
};

const Roster = () => {
  const roster = useLoaded('', () => readList<EnvironmentDetails>('environments'));
  return (
    <Loading from={roster}>
      {(environments) => <Page environments={environments} onRoster={roster.read} />}
    </Loading>
  );
};

/** With a new token, everything is read anew. */
const App = () => (useStore(tokenWanted) ? <TokenGate /> : <Roster />);

/** Moves the focus to the heading when the focused element is removed, so that keyboard users continue from there. */
const keepFocus = (root: HTMLElement): void => {
  let last: Element | null = null;
  root.addEventListener('focusin', () => {
    last = document.activeElement;
  });
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body && last?.isConnected === false) focusHeading();
  });
  observer.observe(root, { childList: true, subtree: true });
};

const root = document.getElementById('app');
if (root) {
  keepFocus(root);
  render(
    <>
      <Away />
      <App />
      <Notices />
    </>,
    root,
  );
}
