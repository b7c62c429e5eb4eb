/** The address of the mock that a command reads, if none was given. */
import { DEFAULTS } from '../library/options.ts';
import type { Process } from './arguments.ts';

/** Says which address it is, since any mock may listen there. @param usage the arguments that name another mock */
export const defaultUrl = (usage: string, { env, stderr }: Process): string => {
  if (env.CA_MOCK_URL) return env.CA_MOCK_URL;
  stderr.write(`Reading ${DEFAULTS.url}, the default address. Another mock: ca-mock ${usage}\n`);
  return DEFAULTS.url;
};
