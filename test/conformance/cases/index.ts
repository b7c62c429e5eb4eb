/** The table of cases that need a mock, and both tables together. */
import type { Case } from '../../../src/conformance/case.ts';
import { CASES } from '../../../src/conformance/cases/index.ts';
import { ACCOUNTS } from './accounts.ts';
import { EVERY } from './every.ts';
import { LINKS } from './links.ts';
import { LOGS } from './logs.ts';
import { MEMBERSHIPS } from './memberships.ts';
import { PROVIDERS } from './providers.ts';
import { REQUESTS } from './requests.ts';

const OF_MOCK = { EVERY, REQUESTS, ACCOUNTS, LINKS, PROVIDERS, MEMBERSHIPS, LOGS };

/** The cases of both tables, by noun. */
export const ALL_CASES = Object.entries(OF_MOCK).map(([noun, cases]): readonly [string, readonly Case[]] => [
  noun.toLowerCase(), [...CASES[noun as keyof typeof OF_MOCK], ...cases]]); // the tables have the same nouns
