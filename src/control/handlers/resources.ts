/** Rows of an environment page by page, for a person who looks at them. */
import { RESOURCES } from '../resources.ts';
import type { Handlers } from '../types.ts';
import { simulate } from './lookup.ts';

export const resources: Pick<Handlers, 'listResources'> = {
  listResources: ({ path, query }, context) => {
    const read = RESOURCES[path.kind];
    const page = simulate(
      context,
      path.env,
      (state, wanted, env) => ({ reply: read(wanted, state, env) }),
      query,
    );
    return { status: 200, body: page };
  },
};
