/** The table of cases: a file for each noun, and two for what all operations share. */
import { ACCOUNT_LISTS } from './account-lists.ts';
import { ACCOUNTS } from './accounts.ts';
import { CONNECTIONS } from './connections.ts';
import { LINKS } from './links.ts';
import { LOGS } from './logs.ts';
import { MEMBERSHIPS } from './memberships.ts';
import { PROVIDERS } from './providers.ts';
import { REQUESTS } from './requests.ts';
import { TOKENS } from './tokens.ts';

export const CASES = { REQUESTS, TOKENS, ACCOUNTS, ACCOUNT_LISTS, LINKS, CONNECTIONS, PROVIDERS, MEMBERSHIPS, LOGS };
