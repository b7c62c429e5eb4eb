/** The query of a call, read by the parameters that its operation has (behaviour T2, T3, T7). */
import type { Request } from 'express';
import type { FieldViolation } from '../core/errors.ts';
import { mentionsSecret } from '../core/secrets.ts';
import { cut } from '../core/text.ts';
import type { ContractOperation } from '../openapi/load.ts';
import { nounOf } from '../openapi/words.ts';
import { type Findings, readName, type SpellingRules } from './spelling.ts';

export interface ReadQuery extends Findings {
  /** Known parameters by the contract's names. Without a prototype, so that no name means what a prototype holds. */
  readonly query: Record<string, string | string[]>;
}

/** What follows the question mark. */
export const rawQuery = ({ url }: Pick<Request, 'url'>): string => url.split(/\?(.*)/s)[1] ?? '';

/** Reads raw queries of one operation: `+` is a space, an empty value is absent. */
type QueryReader = (raw: string, rules: SpellingRules) => ReadQuery;

export const createQueryReader = ({ parameters }: ContractOperation<string>): QueryReader => {
  const own = parameters.filter((one) => one.in === 'query');
  const types = new Map(own.map(({ name, schema }) => [name, schema?.type]));
  return (raw, rules) => {
    const read: ReadQuery = { query: Object.create(null), problems: [], warnings: [] };
    const sent = [...new URLSearchParams(raw)].filter(([, value]) => value !== '' || rules.keepsEmpty);
    const isSent = (name: string): boolean => sent.some(([spelling]) => spelling === name);
    const place = { path: '', kind: 'parameter', names: types, isOpen: false, isSent } as const;
    for (const [spelling, value] of sent) {
      const name = readName(place, spelling, rules, read);
      if (types.has(name)) read.problems.push(...addValue(read.query, name, types.get(name), value));
    }
    return read;
  };
};

/** @returns what is wrong with the value as text; the rest is the validator's to say */
const addValue = (
  query: ReadQuery['query'],
  name: string,
  type: unknown,
  text: string,
): readonly FieldViolation[] => {
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
export const numberProblem = (field: string, type: unknown, text: string): FieldViolation | undefined => {
  if (type !== 'integer' && type !== 'number') return undefined;
  const is = `${field} is ${mentionsSecret(text) ? 'a text' : JSON.stringify(cut(text))}`;
  if (!NUMBER[type].test(text))
    return {
      field,
      constraint: 'type',
      description: `${is}, but must be ${nounOf(type)} written in digits.`,
    };
  if (Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER) return undefined;
  const constraint = text.startsWith('-') ? 'minimum' : 'maximum';
  return { field, constraint, description: `${is}, which is out of range.`, advice: 'Send one nearer to 0.' };
};

const NUMBER = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?$/ } as const;
