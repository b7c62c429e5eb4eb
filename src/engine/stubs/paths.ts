/** Paths of stubs that could never answer a call (behaviour X5). */
import { type Contract, operationsAt } from '../contract/load.ts';
import { refusesBody } from '../contract/refused-body.ts';
import type { Api } from '../scenario/loading.ts';
import { partsOf } from './stub.ts';

const OWN_FILES = ['/', '/openapi.yaml', '/openapi.json', '/favicon.ico'];

const SENDABLE = /^(?:[A-Za-z0-9._~!$&'()+,;=:@-]|%[0-9A-Fa-f]{2})*$/;

/** Why no call can have a path of this form; undefined if some can. */
export const pathProblem = (path: string, { pagePaths }: Api): string | undefined => {
  const segments = path.split('/').slice(1);
  if (OWN_FILES.includes(path) || ['/_mock', ...pagePaths].includes(`/${segments[0]}`))
    return 'the mock itself answers this path, so the stub never would; choose another path';
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const problem = segment === '*' && isLast ? undefined : segmentProblem(segment);
    if (problem !== undefined) return problem;
  }
  const names = segments.flatMap((segment) => partsOf(segment)[0] ?? []);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice && `has the name {${twice}} twice; give each segment a name of its own`;
};

const segmentProblem = (segment: string): string | undefined => {
  if (/^\{[\w-]+\}(?::[\w.-]+)?$/.test(segment)) return undefined;
  if (/[{}]/.test(segment))
    return `"${segment}" is neither text nor one name in braces, such as {id}; only a verb can follow it: {id}:run`;
  if (segment.includes('*')) return 'a * can only be the last segment, where it matches the rest: /files/*';
  return SENDABLE.test(segment)
    ? undefined
    : `"${segment}" has characters that a path cannot have as they are; write ${encoded(segment)}`;
};

const encoded = (segment: string): string =>
  encodeURIComponent(segment.toWellFormed().replace(/%[0-9A-Fa-f]{2}/g, decodeURIComponent));

/** Refuses a stub for an operation of the contract, unless the contract refuses each body that the stub matches. */
export const operationProblem = (
  contract: Contract,
  method: string,
  path: string,
  body: object | undefined,
): string | undefined => {
  const spelled = path.replaceAll(/%3a/gi, ':');
  const own = operationsAt(contract, spelled).find((each) => each.method === method.toLowerCase());
  if (!own || refusesBody(contract, own, body)) return undefined;
  return `${method} ${path} is the operation ${own.operationId}, so the mock answers it without a stub; to change the answers, use a fault. A stub may only answer a body that the contract refuses, such as match: { body: { grant_type: authorization_code } } of POST /oauth/token`;
};
