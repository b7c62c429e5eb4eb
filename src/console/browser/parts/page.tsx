/** A page that talks to the control plane: its styles, its notices, and the control token where the server wants one. */
import { type FunctionComponent, render } from 'preact';
import { controlToken, setToken, tokenWanted } from '../live/api.ts';
import { useStore } from '../live/store.ts';
import { Notices } from './notices.tsx';
import '../style/base.css';
import '../style/frame.css';
import '../style/parts.css';
import '../style/tables.css';
import '../style/views.css';
import '../style/small.css';

/** Draws a page into its document. */
export const startPage = (Page: FunctionComponent): void => {
  const place = document.getElementById('app');
  const Gate = () => (useStore(tokenWanted) ? <TokenGate /> : <Page />);
  if (place)
    render(
      <>
        <Gate />
        <Notices />
      </>,
      place,
    );
};

const TokenGate = () => (
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
          That token is not the one.
        </p>
      )}
      <label>
        Token
        <input name="token" type="password" required autocomplete="off" />
      </label>
      <button type="submit" class="primary">
        Open the console
      </button>
    </form>
  </main>
);
