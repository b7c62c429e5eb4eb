/** The frame around the console and the API references: the bar on top, the navigation, and the area for the view. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { call } from './live/api.ts';
import { type EnvironmentDetails, useEnvironment } from './live/environment.tsx';
import { ICONS, Menu } from './parts/buttons.tsx';
import { reveal } from './parts/layout.tsx';
import { act, tell } from './parts/notices.ts';
import { addressOf, place } from './route.ts';
import SITE from './site.json' with { type: 'json' };

export const focusHeading = (): void => document.querySelector<HTMLElement>('main h1')?.focus();

interface FrameProps {
  /** The address of this page in `site.json`, which lists the links of the bar on top. */
  readonly page: string;
  readonly title: string;
  readonly tools: ComponentChildren;
  readonly navigation: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Frame = ({ page, title, tools, navigation, children }: FrameProps) => {
  const { name } = useEnvironment();
  useEffect(() => {
    // When the page opens, the title has no "·" yet, and the focus stays where it is.
    if (document.title.includes('·')) focusHeading();
    document.title = `${title} · ${name} · Connected Accounts Mock`;
  }, [title, name]);
  return (
    <div class={page === '' ? 'frame' : 'frame reference'}>
      {/* A button and not a link, because the part of the address after # selects the view. */}
      <button type="button" class="skip" onClick={focusHeading}>
        Skip to content
      </button>
      <header class="top">
        <a class="brand" href="./" aria-label="Connected Accounts Mock">
          {ICONS.brand} <b>Connected Accounts Mock</b>
        </a>
        <nav class="site" aria-label="Site">
          {SITE.map(([address = '', text]) => (
            <a
              key={address}
              href={`${address || './'}${address.startsWith('guide') ? '' : addressOf({})}`}
              aria-current={address === page ? 'true' : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <div class="tools">
          <EnvironmentPicker />
          {tools}
        </div>
      </header>
      {navigation}
      <main>{children}</main>
    </div>
  );
};

const LISTED = 50;

/** Opens the present view in another environment. */
const goTo = (environment: string): void =>
  location.assign(addressOf({ ...place.get(), environment, id: '', params: {} }));

/** Makes an environment of the default scenario, and goes there. */
const make = (): Promise<unknown> =>
  act(async () => {
    const { name } = await call<EnvironmentDetails>('POST', 'environments', {});
    goTo(name);
    tell(`Environment ${name} created.`);
  });

const EnvironmentPicker = () => {
  const { name, environments } = useEnvironment();
  const items = [
    { label: 'New environment', choose: make },
    {
      label: `All environments (${environments.length})`,
      choose: () => location.assign(`./${addressOf({ view: 'environments' })}`),
    },
    ...environments
      .slice(0, LISTED)
      .map(({ name: label, scenario }) => ({ label, hint: scenario, choose: () => goTo(label) })),
  ];
  const face = [<span>{name}</span>, ' ', ICONS.caret];
  return <Menu className="environment" label={`Environment: ${name}`} {...{ items, face }} />;
};

interface LinkGroupProps {
  readonly title: string;
  /** `id` is the view that the link opens, and `hint` is the tooltip of the link. */
  readonly links: readonly (readonly [id: string, text: ComponentChildren, hint?: string])[];
  readonly chosen: string | undefined;
}

export const LinkGroup = ({ title, links, chosen }: LinkGroupProps) => (
  <div>
    <h2>{title}</h2>
    <ul>
      {links.map(([id, text, hint]) => (
        <li key={id}>
          <a
            ref={id === chosen ? reveal : null}
            href={addressOf({ view: id })}
            title={hint}
            aria-current={id === chosen ? 'page' : undefined}
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  </div>
);
