/** The console: five places in one page. `/_mock/docs` leads to the reference. */
import { render } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { Frame, focusHeading } from './bar.tsx';
import { Calls } from './calls/calls.tsx';
import { Command } from './command.tsx';
import { Data } from './data/data.tsx';
import { Away, Missing, Notices, TokenGate } from './gates.tsx';
import { answer, api, tokenWanted } from './live/api.ts';
import { type EnvironmentDetails, EnvironmentProvider } from './live/environment.tsx';
import { Loading, useLoaded } from './live/loaded.tsx';
import { useStore } from './live/store.ts';
import { follow } from './live/stream.ts';
import { forgetProblem } from './parts/acts.ts';
import { Screen } from './parts/layout.tsx';
import { Reference } from './reference/reference.tsx';
import { addressOf, go, useRoute } from './route.ts';
import { Setup } from './setup.tsx';

const VIEWS = { calls: Calls, data: Data, reference: Reference, setup: Setup };

const isView = (name: string): name is keyof typeof VIEWS => Object.hasOwn(VIEWS, name);

const Console = () => {
  const view = useRoute().view || 'calls';
  const View = isView(view) ? VIEWS[view] : Unknown;
  return (
    <Frame view={view}>
      <View />
    </Frame>
  );
};

const Unknown = () => (
  <Screen title={`There is no view “${useRoute().view}”`}>
    <p>The address may be old or misspelt. These are the views:</p>
    <p class="cluster">
      {Object.keys(VIEWS).map((name) => (
        <a href={addressOf({ view: name })}>{name}</a>
      ))}
    </p>
  </Screen>
);

/** The page for the environment of the address. An address without an environment leads to the first one. */
const Page = ({ environments }: { readonly environments: readonly EnvironmentDetails[] }) => {
  const { environment: wanted } = useRoute();
  const environment = environments.find(({ name, id }) => [name, id].includes(wanted) || wanted === '');
  const name = environment?.name;
  useLayoutEffect(() => {
    if (name !== undefined && name !== wanted) go({ environment: name });
  });
  useEffect(() => follow(wanted || 'current'), [wanted]);
  useEffect(() => forgetProblem, [name]);
  if (!environment) return <Missing name={wanted} first={environments[0]} />;
  if (name !== wanted) return null;
  return (
    <EnvironmentProvider key={name} {...{ environment, environments }}>
      <Console />
      <Command />
    </EnvironmentProvider>
  );
};

const Roster = () => (
  <Loading from={useLoaded('', () => answer(api.GET('/environments', {})), 'environments', 'gone', 'open')}>
    {({ environments }) => <Page environments={environments} />}
  </Loading>
);

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
  render([<Away />, <App />, <Notices />], root);
}
