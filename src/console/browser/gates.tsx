/** What stands in for the console or over it: the gate for a token, a missing environment, the banner and the notices. */
import { controlAuthorization, isAway, setToken } from './live/api.ts';
import type { EnvironmentDetails } from './live/environment.tsx';
import { useStore } from './live/store.ts';
import { closeNotice, notice } from './parts/acts.ts';
import { Buttons, focus, ICONS } from './parts/buttons.tsx';
import { submitted } from './parts/layout.tsx';
import { addressOf, place } from './route.ts';

interface MissingProps {
  readonly name: string;
  readonly first: EnvironmentDetails | undefined;
}

export const Missing = ({ name, first }: MissingProps) => (
  <main class="gate">
    <h1>{name === '' ? 'There are no environments' : `The environment ${name} does not exist`}</h1>
    <p>
      It was deleted, or the mock was restarted without it. This page goes on once the environment exists
      again.
    </p>
    {first && (
      <p>
        <a class="button" href={addressOf({ ...place.get(), environment: first.name })}>
          Open {first.name}
        </a>
      </p>
    )}
  </main>
);

export const TokenGate = () => (
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

export const Away = () => (
  <div class="away" role="alert">
    {useStore(isAway) && (
      <p class="problem">The mock is not responding. This page goes on once the mock responds.</p>
    )}
  </div>
);

/** A short notice at the edge of the page. Screen readers read it out. */
export const Notices = () => {
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
