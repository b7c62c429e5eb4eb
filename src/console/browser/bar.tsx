/** The bar of every view: the places, the environment, search or act, the clock, and Undo. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ClockButton, ClockStrip } from './clock-strip.tsx';
import { CommandButton } from './command.tsx';
import { useEnvironment } from './live/live.tsx';
import { undo } from './parts/acts.ts';
import { ICONS, Menu } from './parts/buttons.tsx';
import { makeEnvironment } from './parts/moves.ts';
import { addressOf, go, useRoute } from './route.ts';
import SITE from './site.json' with { type: 'json' };

export const focusHeading = (): void =>
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });

export const Frame = ({
  view,
  children,
}: {
  readonly view: string;
  readonly children: ComponentChildren;
}) => {
  const { name } = useEnvironment();
  const [, title = view] = SITE.find(([place]) => place === view) ?? [];
  // The guide keeps the environment in its address, so that its links lead back to it.
  const guide = `guide/?${new URLSearchParams({ environment: name })}`;
  useEffect(() => {
    // When the page opens, the title has no "·" yet, and the focus stays where it is.
    if (document.title.includes('·')) focusHeading();
    document.title = `${title} · ${name} · Connected Accounts Mock`;
  }, [title, name]);
  return (
    <div class="frame">
      {/* A button and not a link, because the part of the address after # selects the view. */}
      <button type="button" class="skip" onClick={focusHeading}>
        Skip to content
      </button>
      <header class="top">
        <a class="brand" href={addressOf({ view: 'calls' })} aria-label="CA Mock">
          {ICONS.brand} <b>CA Mock</b>
        </a>
        <nav class="site" aria-label="Places">
          {SITE.map(([to = '', text]) => (
            <a
              href={to === 'guide/' ? guide : addressOf({ view: to })}
              aria-current={to === view ? 'page' : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <div class="tools">
          <EnvironmentPicker />
          <CommandButton />
          <ClockButton />
          <UndoButton />
        </div>
      </header>
      <ClockStrip />
      <main>{children}</main>
    </div>
  );
};

const LISTED = 50;

const EnvironmentPicker = () => {
  const { name, details, environments } = useEnvironment();
  const { view, part } = useRoute();
  const kept = { id: '', params: {}, part: view === 'calls' ? '' : part };
  const items = [
    ...environments.slice(0, LISTED).map(({ name: label, scenario: hint }) => {
      return { label, hint, choose: () => go({ ...kept, environment: label }) };
    }),
    { label: 'New environment', choose: () => makeEnvironment() },
    {
      label: `All environments (${environments.length})`,
      choose: () => go({ ...kept, view: 'setup', part: 'environments' }),
    },
  ];
  const face = [<b>{name}</b>, ' ', <small>{details.scenario}</small>, ' ', ICONS.caret];
  return (
    <Menu className="environment" label={`Environment: ${name} ${details.scenario}`} {...{ items, face }} />
  );
};

const UndoButton = () => {
  const last = useEnvironment().steps.at(-1);
  return (
    <button
      type="button"
      class="undo"
      disabled={!last}
      title={last ? `Undo: ${last.label}` : 'There is nothing to undo'}
      onClick={() => last && undo(last)}
    >
      {ICONS.undo} Undo {last && <small>{last.label}</small>}
    </button>
  );
};
