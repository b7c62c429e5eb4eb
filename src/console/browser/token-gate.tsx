/** Asks for the control token of a server that wants one. */
import { controlToken, setToken } from './live/api.ts';

export const TokenGate = () => (
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
