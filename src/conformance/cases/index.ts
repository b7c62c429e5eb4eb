/** The table of cases: a file for each noun, and two for what all operations share. */
import { ACCOUNTS } from './accounts.ts';
import { EVERY } from './every.ts';
import { LINKS } from './links.ts';
import { LOGS } from './logs.ts';
import { MEMBERSHIPS } from './memberships.ts';
import { PROVIDERS } from './providers.ts';
import { REQUESTS } from './requests.ts';

export const CASES = { EVERY, REQUESTS, ACCOUNTS, LINKS, PROVIDERS, MEMBERSHIPS, LOGS };
