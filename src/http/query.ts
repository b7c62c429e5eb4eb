/** The query of a call, read by the parameters that its operation has (behaviour T2, T3, T7). */
import { cut } from '../core/cut.ts';
import { MOST_VIOLATIONS } from '../core/errors.ts';
import { NOUNS } from '../core/nouns.ts';
import { mentionsSecret } from '../environments/masking.ts';
import type { ContractOperation } from '../openapi/load.ts';
import {
  camelCase,
  type Problem,
  type SpellingRules,
  spelledTwice,
  toViolation,
  unknownName,
  useSnakeCase,
} from './spelling.ts';

export interface ReadQuery {
  /** Known parameters by the contract's names. Without a prototype, so that no name means what a prototype holds. */
  readonly query: Record<string, string | string[]>;
  readonly problems: Problem[];
  /** What was let through and ignored, in words. */
  readonly warnings: string[];
}

/** Reads raw queries of one operation: `+` is a space, an empty value is absent. */
export type QueryReader = (raw: string, rules: SpellingRules) => ReadQuery;

export const createQueryReader = (operation: ContractOperation<string>): QueryReader => {
  const types = new Map<string, unknown>();
  const snakeCase = new Map<string, string>();
  for (const { name, in: place, schema } of operation.parameters) {
    if (place !== 'query') continue;
    types.set(name, schema?.type);
    if (camelCase(name) !== name) snakeCase.set(camelCase(name), name);
  }
  return (raw, rules) => {
    const read: ReadQuery = { query: Object.create(null), problems: [], warnings: [] };
    const spellings = new Map<string, string>();
    for (const [spelling, value] of new URLSearchParams(raw)) {
      if (value === '' && !rules.keepsEmpty) continue;
      const name = snakeCase.get(spelling) ?? spelling;
      if (!types.has(name)) {
        reportUnknown(read, spelling, types.keys(), rules);
        continue;
      }
      if (name !== spelling && rules.isStrict) read.problems.push(useSnakeCase(spelling, name));
      if ((spellings.get(name) ?? spelling) !== spelling)
        read.problems.push(spelledTwice(name, camelCase(name)));
      spellings.set(name, spelling);
      read.problems.push(...addValue(read.query, name, types.get(name), value));
    }
    return read;
  };
};

const reportUnknown = (
  { problems, warnings }: ReadQuery,
  name: string,
  known: Iterable<string>,
  { isStrict }: SpellingRules,
): void => {
  if (problems.length + warnings.length > MOST_VIOLATIONS) return;
  const unknown = unknownName('', name, known, 'parameter');
  if (isStrict) problems.push(unknown);
  else warnings.push(toViolation(unknown).description);
};

/** @returns what is wrong with the value as text; the rest is the validator's to say */
const addValue = (
  query: ReadQuery['query'],
  name: string,
  type: unknown,
  text: string,
): readonly Problem[] => {
  const problem = numberProblem(name, type, text);
  if (problem) return [problem];
  const value = type === 'boolean' ? (BOOLEANS[text.toLowerCase()] ?? text) : text;
  const before = query[name];
  if (before === undefined) query[name] = type === 'array' ? [value] : value;
  else if (Array.isArray(before)) before.push(value);
  else query[name] = [before, value];
  return [];
};

/** As JSON-over-gRPC gateways read them (behaviour T3). */
const BOOLEANS: Readonly<Record<string, string>> = {
  t: 'true',
  1: 'true',
  true: 'true',
  f: 'false',
  0: 'false',
  false: 'false',
};

/** What is wrong with a text that has to be a number. The validator would take `1e1`, `0x5` and `1.0` for integers. */
export const numberProblem = (field: string, type: unknown, text: string): Problem | undefined => {
  if ((type !== 'integer' && type !== 'number') || NUMBER[type].test(text)) return undefined;
  return {
    field,
    constraint: 'type',
    description: `${field} is ${mentionsSecret(text) ? 'a text' : JSON.stringify(cut(text))}, but must be ${NOUNS[type]} written in digits.`,
  };
};

const NUMBER = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?$/ } as const;
