/**
 * Translates names of parameters and members from the client's spelling to the contract's, and parses queries
 * (behaviour T2, T3, T7).
 */
import type { Request } from 'express';
import { type FieldViolation, MOST_VIOLATIONS } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { MASK, mentionsSecret } from '../core/secrets.ts';
import { camelCase, cut } from '../core/text.ts';
import type { ContractOperation } from '../openapi/load.ts';
import { nounOf } from '../openapi/words.ts';

export interface SpellingRules {
  /**
   * Whether unknown names and lowerCamelCase are problems. Otherwise unknown names are ignored, and lowerCamelCase is
   * accepted.
   */
  readonly isStrict: boolean;
  /** Whether empty query values are kept; otherwise they count as absent. */
  readonly keepsEmpty?: boolean;
}

/** Findings about the names in a query or a body. */
export interface Findings {
  readonly problems: FieldViolation[];
  /** Sentences about what was ignored. */
  readonly warnings: string[];
}

/** The known names at one place: the parameters of an operation, or the members of an object. */
export interface NameScope {
  /** The path of the object, such as `connected_account`; "" for the query and for the body itself. */
  readonly path: string;
  readonly kind: 'parameter' | 'member';
  /** The known names, as the contract spells them. */
  readonly names: ReadonlyMap<string, unknown>;
  /** Whether other names are allowed too, as in `metadata`. */
  readonly isOpen: boolean;
  /** Whether the client sent a name in exactly this spelling. */
  isSent(spelling: string): boolean;
  /**
   * The path of a member one level below, for a name that was sent a level too high: `connected_account.api_config`.
   */
  placeBelow?(spelling: string): string | undefined;
}

/** The contract's name for a name that was sent; adds problems and warnings to the findings. */
export const readName = (
  { path, kind, names, isOpen, isSent, placeBelow }: NameScope,
  spelling: string,
  { isStrict }: SpellingRules,
  { problems, warnings }: Findings,
): string => {
  const name = nameOf(names, spelling);
  const field = join(path, name);
  if (!names.has(name)) {
    if (isOpen || problems.length + warnings.length > MOST_VIOLATIONS) return name;
    const below = placeBelow?.(name);
    const advice = below === undefined ? undefined : `Did you mean "${join(path, below)}"?`;
    const unknown = { ...unknownName(path, name, names.keys(), kind), ...(advice && { advice }) };
    if (isStrict) problems.push(unknown);
    else warnings.push(`${unknown.description} ${unknown.advice}`);
  } else if (name !== spelling) {
    if (isStrict) problems.push(useSnakeCase(join(path, spelling), field));
    if (isSent(name)) problems.push(spelledTwice(field, join(path, spelling)));
  }
  return name;
};

/** The contract's name for either spelling; other names stay as they are. */
export const nameOf = (names: ReadonlyMap<string, unknown>, spelling: string): string =>
  aliasesOf(names).get(spelling) ?? spelling;

const aliases = new WeakMap<object, ReadonlyMap<string, string>>();

/** The contract's names by their lowerCamelCase spelling, which JSON-over-gRPC gateways use: `organizationId`. */
const aliasesOf = (names: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> => {
  const known = aliases.get(names);
  if (known) return known;
  const made = new Map([...names.keys()].map((name) => [camelCase(name), name]));
  aliases.set(names, made);
  return made;
};

/** A member's path: `connected_account.api_config`. */
export const join = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

/**
 * The violation of an unknown name.
 * @param place the path of the object, such as `connected_account`
 * @param kind such as `parameter`
 */
export const unknownName = (
  place: string,
  name: string,
  known: Iterable<string>,
  kind: 'parameter' | 'member',
): FieldViolation => {
  const field = cut(join(place, isSafeName(name) ? name : MASK));
  return {
    field,
    constraint: 'unknown',
    rule: 'T2',
    description: `${field} is not a ${kind} of this operation.`,
    advice: didYouMean(name, known).trim() || 'Leave it out.',
  };
};

/** False for a name that may contain a credential: a body with the wrong Content-Type can parse as one long name. */
const isSafeName = (name: string): boolean => !/["'{}<>=:;]/.test(name) && !mentionsSecret(name);

const useSnakeCase = (field: string, name: string): FieldViolation => ({
  field,
  constraint: 'spelling',
  rule: 'T3',
  description: `${field} is spelled ${name} in the contract, and strict mode accepts no other spelling.`,
  advice: `Write ${name}.`,
});

const spelledTwice = (name: string, alias: string): FieldViolation => ({
  field: name,
  constraint: 'spelling',
  rule: 'T3',
  description: `${name} was sent in both spellings, ${name} and ${alias}.`,
  advice: `Send ${name} alone.`,
});

export interface ReadQuery extends Findings {
  /**
   * Known parameters by the contract's names; without a prototype, so that a name such as `constructor` is only data.
   */
  readonly query: Record<string, string | string[]>;
}

/** The part after the question mark. */
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

/**
 * Adds a value to the query.
 * @returns the problem of a number that is not written in digits; the validator finds all others
 */
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

/** The spellings that JSON-over-gRPC gateways accept (behaviour T3). */
const BOOLEANS: Readonly<Record<string, string>> = {
  t: 'true',
  1: 'true',
  true: 'true',
  f: 'false',
  0: 'false',
  false: 'false',
};

/** The problem of a text that must be a number. The validator would accept `1e1`, `0x5` and `1.0` as integers. */
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
  return {
    field,
    constraint,
    description: `${is}, which is out of range.`,
    advice: 'Send a number nearer to 0.',
  };
};

const NUMBER = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?$/ } as const;
