/** Commands on custom providers (behaviour P1 to P3). */
import fc from 'fast-check';
import type { Foreseen } from '../model/world.ts';
import { settle } from '../run.ts';
import { type Command, choose, command, remember } from './command.ts';

const names = fc.constantFrom('Wiki', 'WIKI', 'Desk', 'Ham and Eggs 2');
const body = (display_name: string) => ({
  display_name,
  proxy_url: 'https://proxy.test',
  auth_patterns: [{ type: 'API_KEY' }],
  metadata: { team: 'core' },
});

const createProvider: fc.Arbitrary<Command> = names.map((name) =>
  command(`create provider ${name}`, async (run, twins) => {
    const isTaken = Object.values(run.model.providers).some(
      (one) => one.toLowerCase() === name.toLowerCase(),
    );
    const foreseen: Foreseen = isTaken
      ? { status: 409 }
      : {
          status: 201,
          next: ({ id }) => ({ ...run.model, providers: { ...run.model.providers, [id]: name } }),
        };
    const answer = await twins.call({ method: 'POST', path: '/api/v1/custom-providers', body: body(name) });
    const identifier = answer.body?.provider?.identifier;
    settle(run, foreseen, answer, { id: identifier });
    if (identifier) remember(run.seen.providers, identifier);
    return foreseen;
  }),
);

const changeProvider: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat({ max: 20 }), name: names, isDelete: fc.boolean() })
  .map(({ pick, name, isDelete }) =>
    command(`${isDelete ? 'delete' : 'rename'} provider ${pick} to ${name}`, async (run, twins) => {
      const id = choose(Object.keys(run.model.providers), run.seen.providers, pick, 'NOBODY');
      const { [id]: current, ...others } = run.model.providers;
      const isTaken = Object.values(others).some((one) => one.toLowerCase() === name.toLowerCase());
      const providers = isDelete ? others : { ...run.model.providers, [id]: name };
      const foreseen: Foreseen =
        current === undefined
          ? { status: 404 }
          : !isDelete && isTaken
            ? { status: 409 }
            : { status: 200, next: () => ({ ...run.model, providers }) };
      const path = `/api/v1/custom-providers/${encodeURIComponent(id)}`;
      settle(
        run,
        foreseen,
        await twins.call({
          method: isDelete ? 'DELETE' : 'PUT',
          path,
          ...(!isDelete && { body: body(name) }),
        }),
      );
      return foreseen;
    }),
  );

export const PROVIDER_COMMANDS = [createProvider, changeProvider];
