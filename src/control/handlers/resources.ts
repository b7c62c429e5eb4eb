/** Rows of an environment page by page, for a person who looks at them. */
import { run } from '../../world/environment.ts';
import { RESOURCES } from '../resources.ts';
import type { Handlers } from '../types.ts';
import { requireEnvironment } from './lookup.ts';

export const resources: Pick<Handlers, 'listResources'> = {
  listResources: ({ path, query }, context) => {
    const environment = requireEnvironment(context, path.env);
    const read = RESOURCES[path.kind];
    const { page } = run(environment, context.world.baseUrl, (state, env) => ({
      page: read(query, state, env),
    }));
    return { status: 200, body: page };
  },
};
