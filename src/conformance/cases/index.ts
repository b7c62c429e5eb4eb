/** The table of cases: a file for each noun, and two for what all operations share. */
import { ACCOUNT_LISTS } from './account-lists.ts';
import { ACCOUNTS } from './accounts.ts';
import { LINKS } from './links.ts';
import { LOGS } from './logs.ts';
import { MEMBERSHIPS } from './memberships.ts';
import { PROVIDERS } from './providers.ts';
import { REQUESTS } from './requests.ts';

export const CASES = { REQUESTS, ACCOUNTS, ACCOUNT_LISTS, LINKS, PROVIDERS, MEMBERSHIPS, LOGS };
