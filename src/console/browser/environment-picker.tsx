/** Chooses the environment. A click or Enter chooses; typing and arrow keys alone do not. */
import { useState } from 'preact/hooks';
import type { Schemas } from './live/api.ts';
import { ICONS } from './parts/icons.tsx';
import { Popover } from './parts/popover.tsx';
import { addressOf } from './route.ts';

/** The most environments in the list. A search finds the others. */
const LISTED = 50;

interface EnvironmentPickerProps {
  readonly name: string;
  readonly environments: readonly Schemas['Environment'][];
  /** The view to open in the chosen environment. */
  readonly view: string;
}

export const EnvironmentPicker = ({ name, environments, view }: EnvironmentPickerProps) => {
  const [wanted, setWanted] = useState('');
  const found = environments.filter((each) => each.name.toLowerCase().includes(wanted.toLowerCase()));
  const face = (
    <>
      <span class="unseen">Environment: </span> <span>{name}</span> {ICONS.caret}
    </>
  );
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
          {found.length > LISTED && <p class="quiet">{found.length - LISTED} more: search to find them.</p>}
          {found.length === 0 && <p class="quiet">No name contains this.</p>}
        </form>
      )}
    </Popover>
  );
};
