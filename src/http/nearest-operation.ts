/** The operation that a path of a plane was meant for: what its 404 says, so that it is not taken for a missing resource. */
import { distanceOf } from '../core/nearest.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';

/** Mistakes in typing up to this many letters are taken for the operation; a wrong method counts as one. */
const MOST_MISTAKES = 4;

/** By method and template: an id, a missing or another `/api/v1` and a slash too many are no mistakes. */
export const nearestOperation = <Id extends string>(
  { operations }: Contract<Id>,
  method: string,
  path: string,
): ContractOperation<Id> | undefined => {
  let best: ContractOperation<Id> | undefined;
  let fewest = MOST_MISTAKES + 1;
  for (const operation of operations) {
    const mistakes = mistakesFor(operation, method, path);
    if (mistakes >= fewest) continue;
    best = operation;
    fewest = mistakes;
  }
  return best;
};

const mistakesFor = (operation: ContractOperation<string>, method: string, path: string): number => {
  // An id may hold a colon too, which parts nothing.
  const separator = operation.path.includes(':') ? /\/|(?=:)/ : '/';
  const known = segmentsOf(operation.path, separator);
  // `DELETE /things/1` where the contract has `POST /things:delete`.
  const action = `:${method.toLowerCase()}`;
  if (operation.path.endsWith(action)) return mistakesIn(segmentsOf(path + action, separator), known);
  const isSame =
    operation.method.toUpperCase() === method || (operation.method === 'get' && method === 'HEAD');
  return mistakesIn(segmentsOf(path, separator), known) + (isSame ? 0 : 1);
};

const segmentsOf = (path: string, separator: string | RegExp): string[] =>
  path
    .slice(0, 1_000)
    .replaceAll(/\/{2,}/g, '/')
    .replace(/^\/(api\/)?(v\d+\/)?/i, '')
    .replace(/\/$/, '')
    .split(separator);

/** What a segment too many counts as, and one too few, or all that follow; the first segment always counts. */
const SEGMENT_TOO_MANY = 3;
const SEGMENT_TOO_FEW = 1;

const mistakesIn = (sent: readonly string[], known: readonly string[]): number => {
  if (sent.length === known.length + 1)
    return SEGMENT_TOO_MANY + Math.min(...eachWithoutOne(sent).map((fewer) => mistakesIn(fewer, known)));
  if (known.length === sent.length + 1)
    return SEGMENT_TOO_FEW + Math.min(...eachWithoutOne(known).map((fewer) => mistakesIn(sent, fewer)));
  if (known.length > sent.length) return SEGMENT_TOO_FEW + mistakesIn(sent, known.slice(0, sent.length));
  if (sent.length > known.length) return Infinity;
  return known.reduce((sum, segment, index) => sum + mistakesInSegment(sent[index] ?? '', segment), 0);
};

/** Half of a word is another word. */
const mistakesInSegment = (sent: string, known: string): number => {
  if (known.startsWith('{') && sent !== '') return 0;
  const distance = distanceOf(sent, known);
  return distance > sent.length / 2 ? Infinity : distance;
};

const eachWithoutOne = (segments: readonly string[]): string[][] =>
  segments.slice(1).map((_, index) => segments.toSpliced(index + 1, 1));
