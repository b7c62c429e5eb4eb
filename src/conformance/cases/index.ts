/** The table of cases: a file for each noun, and two for what all operations share. */
import { CONNECTIONS } from './connections.ts';
import { LOGS } from './logs.ts';
import { MEMBERSHIPS } from './memberships.ts';
import { PROVIDERS } from './providers.ts';
import { TOKENS } from './tokens.ts';

export const CASES = { TOKENS, CONNECTIONS, PROVIDERS, MEMBERSHIPS, LOGS };
