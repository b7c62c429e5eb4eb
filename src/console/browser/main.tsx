/** The console: five places in one page. `/_mock/docs` leads to the reference. */
import { render } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { Frame, focusHeading } from './bar.tsx';
import { Calls } from './calls/calls.tsx';
import { Command } from './command.tsx';
import { Data } from './data/data.tsx';
import { answer, api, controlAuthorization, isAway, setToken, tokenWanted } from './live/api.ts';
import { type EnvironmentDetails, EnvironmentProvider, Loading, useLoaded } from './live/live.tsx';
import { useStore } from './live/store.ts';
import { follow } from './live/stream.ts';
import { closeNotice, forgetProblem, notice } from './parts/acts.ts';
import { Buttons, focus, ICONS } from './parts/buttons.tsx';
import { Screen, submitted } from './parts/layout.tsx';
import { Reference } from './reference/reference.tsx';
import { addressOf, go, place, useRoute } from './route.ts';
import { Setup } from './setup.tsx';

const VIEWS = new Map(Object.entries({ calls: Calls, data: Data, reference: Reference, setup: Setup }));

const Console = () => {
  const view = useRoute().view || 'calls';
  const View = VIEWS.get(view) ?? Unknown;
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
      {[...VIEWS.keys()].map((name) => (
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
  if (!environment) return <Missing first={environments[0]} />;
  if (name !== wanted) return null;
  return (
    <EnvironmentProvider key={name} {...{ environment, environments }}>
      <Console />
      <Command />
    </EnvironmentProvider>
  );
};

const Missing = ({ first }: { readonly first: EnvironmentDetails | undefined }) => (
  <main class="gate">
    <h1>
      {first ? `The environment ${useRoute().environment} does not exist` : 'There are no environments'}
    </h1>
    <p>It was deleted, or the mock was restarted without it. This page goes on once it exists again.</p>
    {first && (
      <p>
        <a class="button" href={addressOf({ ...place.get(), environment: first.name })}>
          Open {first.name}
        </a>
      </p>
    )}
  </main>
);

const TokenGate = () => (
  <main class="gate">
    <form class="card" onSubmit={submitted(({ token = '' }) => setToken(token))}>
      <h1>Control token</h1>
      <p>
        This server was started with <code>--control-token</code>. The token is kept only in this tab.
      </p>
      {controlAuthorization().Authorization && (
        <p class="problem" role="alert">
          Wrong token.
        </p>
      )}
      <label>
        Token
        {/* The field gets the focus once, when it appears. */}
        <input ref={focus} name="token" type="password" required autocomplete="off" />
      </label>
      <button type="submit" class="primary">
        Open
      </button>
    </form>
  </main>
);

const Roster = () => (
  <Loading from={useLoaded('', () => answer(api.GET('/environments', {})), 'environments', 'gone', 'open')}>
    {({ environments }) => <Page environments={environments} />}
  </Loading>
);

/** With a new token, everything is read anew. */
const App = () => (useStore(tokenWanted) ? <TokenGate /> : <Roster />);

const Away = () => (
  <div class="away" role="alert">
    {useStore(isAway) && (
      <p class="problem">The mock is not responding. This page goes on once the mock responds.</p>
    )}
  </div>
);

/** A short notice at the edge of the page. Screen readers read it out. */
const Notices = () => {
  const { kind, text, hint, button } = useStore(notice) ?? {};
  const choose = () => [closeNotice(), button?.choose()];
  return (
    <div class="notices" role="status" aria-live="polite">
      {kind && (
        <div class={`notice ${kind}`}>
          <p>
            {text} {hint && <small>{hint}</small>}
          </p>
          {button && <Buttons className="small" actions={[{ label: button.label, choose }]} />}
          <button type="button" class="bare" aria-label={`Close: ${text}`} onClick={() => closeNotice()}>
            {ICONS.close}
          </button>
        </div>
      )}
    </div>
  );
};

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
