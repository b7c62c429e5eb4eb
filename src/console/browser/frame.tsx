/** The frame around the console and the API references: the bar on top, the navigation, and the area for the view. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, type MockSchemas } from './live/api.ts';
import { Buttons, ICONS, Popover } from './parts/buttons.tsx';
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

const LISTED = 50;

/** Makes an environment of the default scenario, and goes there. */
const make = (view: string): Promise<unknown> =>
  act(async () => {
    const { name } = await call<MockSchemas['Environment']>('POST', 'environments', {});
    location.assign(addressOf({ environment: name, view }));
    tell(`Environment ${name} created.`);
  });

/** Lists all environments. A click or Enter opens an environment; typing only filters the list. */
const EnvironmentPicker = ({ environment: name, environments, view }: FrameProps) => {
  const [wanted, setWanted] = useState('');
  const found = environments.filter((each) => each.name.toLowerCase().includes(wanted.toLowerCase()));
  const face = [<span class="unseen">Environment: </span>, <span>{name}</span>, ' ', ICONS.caret];
  return (
    <Popover label="Environments" className="environment" face={face}>
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (found[0]) location.assign(addressOf({ environment: found[0].name, view }));
            close();
          }}
        >
          <input
            type="search"
            aria-label="Search environments"
            placeholder="Search"
            onInput={({ currentTarget }) => setWanted(currentTarget.value.trim())}
          />
          <ul class="choices">
            {found.slice(0, LISTED).map((each) => (
              <li key={each.id}>
                <a
                  href={addressOf({ environment: each.name, view })}
                  aria-current={each.name === name ? 'true' : undefined}
                  onClick={close}
                >
                  {each.name} <small>{each.scenario}</small>
                </a>
              </li>
            ))}
          </ul>
          {found.length > LISTED && <p class="quiet">Search to find {found.length - LISTED} more.</p>}
          {found.length === 0 && <p class="quiet">No environments match.</p>}
          <p class="cluster">
            <Buttons
              className="small"
              actions={[{ label: 'New environment', choose: () => [close(), make(view)] }]}
            />
          </p>
        </form>
      )}
    </Popover>
  );
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
