/** The console: five places in one page, below a bar. `/_mock/docs` leads to the reference. */
import { render } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { Calls } from './calls/calls.tsx';
import { ClockButton, ClockStrip } from './clock-strip.tsx';
import { Command } from './command.tsx';
import { Data } from './data/data.tsx';
import { answer, api, controlAuthorization, isAway, setToken, tokenWanted } from './live/api.ts';
import { EnvironmentProvider, Loading, useEnvironment, useLoaded } from './live/live.tsx';
import { useStore } from './live/store.ts';
import { follow } from './live/stream.ts';
import { makeEnvironment, notice, undo } from './parts/acts.ts';
import { Button, focus, ICONS, Menu } from './parts/buttons.tsx';
import { Screen, submitted } from './parts/layout.tsx';
import { Reference } from './reference/reference.tsx';
import { addressOf, go, place, useRoute } from './route.ts';
import { Setup } from './setup.tsx';
import SITE from './site.json' with { type: 'json' };

const VIEWS = new Map(Object.entries({ calls: Calls, data: Data, reference: Reference, setup: Setup }));

const NoView = () => (
  <Screen title={`There is no view “${useRoute().view}”`} children={<p>Choose one above.</p>} />
);

const focusHeading = (): void =>
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });

const Console = () => {
  const { name } = useEnvironment();
  const view = useRoute().view || 'calls';
  const View = VIEWS.get(view) ?? NoView;
  const [, title = view] = SITE.find(([to]) => to === view) ?? [];
  useEffect(() => {
    // When the page opens, the title has no "·" yet, and the focus stays where it is.
    if (document.title.includes('·')) focusHeading();
    document.title = `${title} · ${name} · Connected Accounts Mock`;
  }, [title, name]);
  return (
    <div class="frame">
      {/* A button and not a link, because the part of the address after # selects the view. */}
      <Button className="skip" label="Skip to content" choose={focusHeading} />
      <Top view={view} />
      <ClockStrip />
      <main children={<View />} />
    </div>
  );
};

const Top = ({ view }: { readonly view: string }) => {
  // The guide keeps the environment in its address, so that its links lead back to it.
  const guide = `guide/?${new URLSearchParams({ environment: useEnvironment().name })}`;
  const hrefOf = (to: string): string => (to === 'guide/' ? guide : addressOf({ view: to }));
  return (
    <header class="top">
      <a class="brand" href={addressOf({ view: 'calls' })} aria-label="CA Mock">
        {ICONS.brand} <b>CA Mock</b>
      </a>
      <nav class="site" aria-label="Places">
        {SITE.map(([to = '', text]) => (
          <a href={hrefOf(to)} aria-current={to === view ? 'page' : undefined} children={text} />
        ))}
      </nav>
      <div class="tools">
        <EnvironmentPicker />
        <Command />
        <ClockButton />
        <UndoButton />
      </div>
    </header>
  );
};

const EnvironmentPicker = () => {
  const { name, details, environments } = useEnvironment();
  const { view, part } = useRoute();
  const kept = { id: '', params: {}, part: view === 'calls' ? '' : part };
  const items = environments.map(({ name: label, scenario: hint }) => {
    return { label, hint, choose: () => go({ ...kept, environment: label }) };
  });
  const create = { label: 'New environment', choose: () => makeEnvironment() };
  return (
    <Menu
      className="environment"
      label={`Environment: ${name} ${details.scenario}`}
      items={[...items, create]}
      face={[<b>{name}</b>, ' ', <small>{details.scenario}</small>, ' ', ICONS.caret]}
    />
  );
};

const UndoButton = () => {
  const last = useEnvironment().steps.at(-1);
  const face = [ICONS.undo, 'Undo ', <small>{last?.label}</small>];
  return <Button className="undo" label="Undo" of={last?.label} face={face} choose={() => undo(last)} />;
};

/** The page for the environment of the address. An address without an environment leads to the first one. */
const Page = () => {
  const found = useLoaded('', () => answer(api.GET('/environments', {})), 'environments', 'gone', 'open');
  const { environments } = found.value ?? {};
  const { environment: wanted } = useRoute();
  const environment = environments?.find(({ name, id }) => [name, id, ''].includes(wanted));
  const name = environment?.name;
  useLayoutEffect(() => {
    if (name !== undefined && name !== wanted) go({ environment: name });
  });
  useEffect(() => follow(wanted || 'current'), [wanted]);
  if (!environments) return <Loading from={found} children={() => null} />;
  if (!environment) return <Missing first={environments[0]?.name ?? ''} />; // a mock has at least one
  if (name !== wanted) return null;
  return (
    <EnvironmentProvider key={name} {...{ environment, environments }}>
      <Console />
    </EnvironmentProvider>
  );
};

const Missing = ({ first = '' }) => (
  <main class="gate">
    <h1>The environment {useRoute().environment} does not exist</h1>
    <p>It was deleted, or the mock was restarted without it. This page goes on once it exists again.</p>
    <a class="button" href={addressOf({ ...place.get(), environment: first })}>
      Open {first}
    </a>
  </main>
);

const TokenGate = () => (
  <main class="gate">
    <form class="card" onSubmit={submitted(({ token = '' }) => setToken(token))}>
      <h1>Control token</h1>
      <p>
        This server was started with <code>--control-token</code>. The token is kept only in this tab.
      </p>
      <p class="wrong" role="alert">
        {controlAuthorization().Authorization && 'Wrong token.'}
      </p>
      <label>
        Token
        {/* The field gets the focus once, when it appears. */}
        <input ref={focus} name="token" type="password" required autocomplete="off" />
      </label>
      <button type="submit" class="primary" children="Open" />
    </form>
  </main>
);

/** With a new token, everything is read anew. */
const App = () => (useStore(tokenWanted) ? <TokenGate /> : <Page />);

/** Short notices at the edge of the page. Screen readers read them out. */
const Notices = () => {
  const { text, kind } = useStore(notice) ?? {};
  const close = () => notice.set(undefined);
  return (
    <div class="notices" role="status" aria-live="polite">
      {useStore(isAway) && (
        <p class="problem">The mock is not responding. This page goes on once the mock responds.</p>
      )}
      {text !== undefined && (
        <div class={`notice ${kind}`}>
          <p>{text}</p>
          {kind === 'step' && <Button className="small" label="Undo" choose={() => undo()} />}
          <Button className="bare" label={`Close: ${text}`} face={ICONS.close} choose={close} />
        </div>
      )}
    </div>
  );
};

const root = document.getElementById('app');
if (root) render([<App />, <Notices />], root);
