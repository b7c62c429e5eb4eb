/**
 * A page that calls the control plane: its styles and notices, and its form for the control token if the server
 * requires one.
 */
import { type FunctionComponent, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { controlToken, isAway, setToken, tokenWanted } from '../live/api.ts';
import { useStore } from '../live/store.ts';
import { Notices } from './notices.tsx';

/** Draws a page into the document. */
export const startPage = (Page: FunctionComponent): void => {
  const place = document.getElementById('app');
  const Gate = () => (useStore(tokenWanted) ? <TokenGate /> : <Page />);
  if (place)
    render(
      <>
        <Away />
        <Gate />
        <Notices />
      </>,
      place,
    );
};

const Away = () => (
  <div class="away" role="alert">
    {useStore(isAway) && (
      <p class="problem">The mock does not answer. This page continues when the mock answers again.</p>
    )}
  </div>
);

const TokenGate = () => {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <main class="gate">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          setToken(String(new FormData(event.currentTarget).get('token') ?? '').trim());
        }}
      >
        <h1>Control token</h1>
        <p>
          This server was started with <code>--control-token</code>. The token stays in this tab.
        </p>
        {controlToken() !== null && (
          <p class="problem" role="alert">
            Wrong token.
          </p>
        )}
        <label>
          Token
          <input ref={field} name="token" type="password" required autocomplete="off" />
        </label>
        <button type="submit" class="primary">
          Open
        </button>
      </form>
    </main>
  );
};
