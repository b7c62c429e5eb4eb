/** Commands on access tokens and sign-ins. */
import fc from 'fast-check';
import { type Foreseen, hasEnded, TTL } from '../model/world.ts';
import { settle } from '../run.ts';
import { CLIENT, CREDENTIAL } from '../scenario.ts';
import { type Command, command } from './command.ts';

/** Behaviour E3: a token ends by the clock, and is valid again when that is set back. */
const useToken: fc.Arbitrary<Command> = fc
  .record({ isRight: fc.boolean(), waits: fc.constantFrom(0, TTL.bearer - 1_000, TTL.bearer) })
  .map(({ isRight, waits }) =>
    command(
      `token with the ${isRight ? 'right' : 'wrong'} secret, used after ${waits} ms`,
      async (run, twins) => {
        const form = new URLSearchParams({
          grant_type: 'client_credentials',
          ...CLIENT,
          ...(!isRight && { client_secret: `${CREDENTIAL}wrong` }),
        });
        const raw = { type: 'application/x-www-form-urlencoded', text: String(form) };
        const issued = await twins.call({
          method: 'POST',
          path: '/oauth/token',
          raw,
          token: null,
          mayShowCredentials: isRight,
        });
        const foreseen: Foreseen = isRight
          ? { status: 200, shows: { expires_in: TTL.bearer / 1_000 } }
          : { status: 401 };
        settle(run, foreseen, issued);
        if (!isRight) return foreseen;
        const token: string = issued.body.access_token;
        twins.secrets.add(token);
        const { now } = run.model;
        const clock = (instant: number) =>
          twins.control('PUT', '/clock', { mode: 'frozen', now: new Date(instant).toISOString() });
        await clock(now + waits);
        // The token's end is in whole seconds.
        const end = Math.floor(now / 1_000) * 1_000 + TTL.bearer;
        const isOver = hasEnded(end, { now: now + waits });
        settle(
          run,
          { status: isOver ? 401 : 200 },
          await twins.call({ method: 'GET', path: '/api/v1/connections', token }),
        );
        await clock(now);
        settle(run, { status: 200 }, await twins.call({ method: 'GET', path: '/api/v1/connections', token }));
        return { status: 200 };
      },
    ),
  );

const signIn: fc.Arbitrary<Command> = fc
  .constantFrom('success', 'failed', 'pending', 'initiated')
  .map((outcome) =>
    command(`sign-in, ${outcome}`, async (run, twins) => {
      const foreseen: Foreseen = {
        status: 201,
        next: () => ({ ...run.model, logEntries: run.model.logEntries + 1 }),
      };
      settle(run, foreseen, await twins.control('POST', '/sign-ins', { email: 'ada@acme.test', outcome }));
      return foreseen;
    }),
  );

export const TOKEN_COMMANDS = [useToken, signIn];
