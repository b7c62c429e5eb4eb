/** The frame around the console and the API references: the bar on top, the navigation, and the area for the view. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { call, type MockSchemas } from './live/api.ts';
import { ICONS, Menu } from './parts/buttons.tsx';
import { act, tell } from './parts/notices.ts';
import { addressOf } from './route.ts';
import SITE from './site.json';

export const focusHeading = (): void => document.querySelector<HTMLElement>('main h1')?.focus();

interface FrameProps {
  /** The address of this page in `site.json`, which lists the links of the bar on top. */
  readonly page: string;
  readonly title: string;
  readonly environment: string;
  readonly environments: readonly MockSchemas['Environment'][];
  /** The view to open when the user chooses another environment. */
  readonly view: string;
  readonly tools?: ComponentChildren;
  readonly navigation: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Frame = (props: FrameProps) => {
  const { page, title, environment, tools, navigation, children } = props;
  useEffect(() => {
    // When the page opens, the title has no "·" yet, and the focus stays where it is.
    if (document.title.includes('·')) focusHeading();
    document.title = `${title} · ${environment} · Connected Accounts Mock`;
  }, [title, environment]);
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
              href={`${address || './'}${address.startsWith('guide') ? '' : addressOf({ environment })}`}
              aria-current={address === page ? 'true' : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <div class="tools">
          <EnvironmentPicker {...props} />
          {tools}
        </div>
      </header>
      {navigation}
      <main>{children}</main>
    </div>
  );
};

/** How many environments the menu lists. */
const LISTED = 50;

/** Makes an environment of the default scenario, and goes there. */
const make = (view: string): Promise<unknown> =>
  act(async () => {
    const { name } = await call<MockSchemas['Environment']>('POST', 'environments', {});
    location.assign(addressOf({ environment: name, view }));
    tell(`Environment ${name} created.`);
  });

const EnvironmentPicker = ({ environment: name, environments, view }: FrameProps) => {
  const listed = environments.slice(0, LISTED).map(({ name: environment, scenario }) => ({
    label: environment,
    hint: scenario,
    choose: () => location.assign(addressOf({ environment, view })),
  }));
  const all = {
    label: `All ${environments.length} environments`,
    choose: () => location.assign(`./${addressOf({ environment: name, view: 'environments' })}`),
  };
  const items = [
    { label: 'New environment', choose: () => make(view) },
    ...(environments.length > LISTED ? [all] : []),
    ...listed,
  ];
  const face = [<span>{name}</span>, ' ', ICONS.caret];
  return <Menu className="environment" label={`Environment: ${name}`} {...{ items, face }} />;
};

interface LinkGroupProps {
  readonly title: string;
  /** `id` is the view that the link opens, and `hint` is the tooltip of the link. */
  readonly links: readonly (readonly [id: string, text: ComponentChildren, hint?: string])[];
  readonly chosen: string | undefined;
  readonly environment: string;
}

export const LinkGroup = ({ title, links, chosen, environment }: LinkGroupProps) => {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [chosen]);
  return (
    <div>
      <h2>{title}</h2>
      <ul>
        {links.map(([id, text, hint]) => (
          <li key={id}>
            <a
              ref={id === chosen ? current : null}
              href={addressOf({ environment, view: id })}
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
};
