/** V1 to V6. */
import type { Mutant } from '../mutant.ts';

export const AUTHORIZATION_MUTANTS: readonly Mutant[] = [
  {
    rule: 'V1',
    file: 'src/simulation/link-reply.ts',
    find: 'return decide(useLink(state, found.link, absolute(env.now)), found);',
    replace: 'return decide(state, found);',
    breaks: 'A link can be decided on again and again.',
  },
  {
    rule: 'V2',
    file: 'src/operations/authorization.ts',
    find: 'return connector ? pageViolations(connector) :',
    replace: 'return connector ? [] :',
    breaks: 'A connector that needs no user has a link.',
  },
  {
    rule: 'V3',
    file: 'src/simulation/link-reply.ts',
    find: 'url.search = url.search ?',
    replace: "url.search = url.search === 'never' ?",
    breaks: 'The way back loses the query that the application gave it.',
  },
  {
    rule: 'V3',
    file: 'src/simulation/consent.ts',
    find: 'if (!link || !request || hasEnded(request.expires_at, env)) return undefined;',
    replace: 'if (!link || !request) return undefined;',
    breaks: 'An approval is repeated after its request has ended.',
  },
  {
    rule: 'V4',
    file: 'src/operations/authorization.ts',
    find: "return settings.user_verification === 'lenient' ? [] : [USER_VERIFY_URL_MISSING];",
    replace: 'return [];',
    breaks: 'Strict verification takes a link that nobody could verify.',
  },
  {
    rule: 'V5',
    file: 'src/pages/links.ts',
    find: "return env.settings.hosted === 'interactive' ? 'open' : env.settings.hosted;",
    replace: "return 'open';",
    breaks: 'The hosted mode decides nothing.',
  },
  {
    rule: 'V5',
    file: 'src/pages/links.ts',
    find: "const named = query.getAll('decision').filter((value) => value !== '');",
    replace: 'const named: string[] = [];',
    breaks: 'A decision in the address of a link is ignored.',
  },
  {
    rule: 'V6',
    file: 'src/operations/authorization.ts',
    find: 'if (account.identifier !== body.identifier) throw',
    replace: 'if (account.identifier.toLowerCase() !== body.identifier.toLowerCase()) throw',
    breaks: 'Verify takes the identifier in other letters.',
  },
];
