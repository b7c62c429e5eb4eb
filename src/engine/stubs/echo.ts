/**
 * The placeholders in the replies and rows of a stub (behaviour X6): `{path.name}`, `{query.name}`, `{body.a.b}`, `{now}`
 * and `{id.usr}`, a new id, the same wherever it stands.
 */
import { isJsonObject, type JsonObject } from '../contract/document.ts';
import { valueAt } from '../core/object.ts';
import { nearest } from '../core/text.ts';

const PLACEHOLDER = /\{([A-Za-z]+(?:\.[\w*-]+)*)\}/g;
const ROOTS = ['path', 'query', 'body', 'now', 'id'];

/** The value of a placeholder, which is given without its braces. */
export type Lookup = (root: string, steps: readonly string[]) => unknown;

/**
 * Copies a value with its placeholders filled. A string that is one placeholder becomes its value of any type; a member
 * without a value is left out.
 * @param sign makes the token that stands for `{ $token: { claims } }`, for applications that sign users in
 */
export const fill = (value: unknown, lookup: Lookup, sign?: (claims: object) => string): unknown => {
  if (typeof value === 'string') return fillText(value, lookup);
  if (Array.isArray(value)) return value.map((item) => fill(item, lookup, sign) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  if (sign && isClaims(value)) return sign(Object(fill(value.$token, lookup)));
  const members = Object.entries(value).map(([name, member]) => [name, fill(member, lookup, sign)]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
};

const fillText = (text: string, lookup: Lookup): unknown => {
  const [first] = text.match(PLACEHOLDER) ?? [];
  if (first === text) return filledBy(text.slice(1, -1), text, lookup);
  return text.replaceAll(PLACEHOLDER, (placeholder, inner: string) => {
    const found = filledBy(inner, placeholder, lookup) ?? '';
    return typeof found === 'object' ? JSON.stringify(found) : String(found);
  });
};

const filledBy = (inner: string, placeholder: string, lookup: Lookup): unknown => {
  const [root = '', ...steps] = inner.split('.');
  return isPlaceholder(root, steps) ? lookup(root, steps) : placeholder;
};

/** Other texts in braces are ordinary text. */
const isPlaceholder = (root: string, steps: readonly string[]): boolean =>
  root === 'now' ? steps.length === 0 : root === 'body' || (ROOTS.includes(root) && steps.length > 0);

export const hasPlaceholder = (text: string): boolean =>
  bracesIn(text).some(({ root, steps }) => isPlaceholder(root, steps));

/** Whether an object stands for a token that the mock signs, with these claims. */
export const isClaims = (value: object): value is { readonly $token: JsonObject } =>
  '$token' in value && isJsonObject(value.$token) && Object.keys(value).length === 1;

export const claimsProblem = (value: unknown): string | undefined =>
  isJsonObject(value) && '$token' in value && !isClaims(value)
    ? '$token stands alone, and holds the claims of a token'
    : undefined;

/** The texts in braces that could be placeholders. */
const bracesIn = (text: string) =>
  Array.from(text.matchAll(PLACEHOLDER), ([placeholder, inner = '']) => {
    const [root = '', ...steps] = inner.split('.');
    return { placeholder, root, steps };
  });

/** What the placeholders of a stub can stand for. */
interface Fillers {
  /** The names in the stub's path. */
  readonly names: readonly string[];
  /** The prefixes of ids. */
  readonly prefixes: readonly string[];
  readonly hasBody: boolean;
}

/** Why a placeholder in a text can never be filled; undefined if all can. */
export const placeholderProblem = (text: string, fillers: Fillers): string | undefined => {
  for (const { placeholder, root, steps } of bracesIn(text)) {
    const problem = isPlaceholder(root, steps) ? unfilled(root, steps, fillers) : misspelt(root, steps);
    if (problem !== undefined) return `${placeholder} cannot be filled: ${problem}`;
  }
  return undefined;
};

const unfilled = (
  root: string,
  steps: readonly string[],
  { names, prefixes, hasBody }: Fillers,
): string | undefined => {
  const name = steps.join('.');
  if (root === 'path' && !names.includes(name))
    return names.length > 0 ? `the path has ${names.join(', ')}` : 'the path has no names';
  if (root === 'id' && !prefixes.includes(name)) return `ids begin with ${prefixes.join(', ')}`;
  return root === 'body' && !hasBody ? 'calls with this method have no body' : undefined;
};

const misspelt = (root: string, steps: readonly string[]): string | undefined => {
  const isSwapped = (known: string): boolean => lettersOf(known) === lettersOf(root);
  const meant = ROOTS.find(isSwapped) ?? nearest(root, ROOTS, 1);
  if (meant === undefined) return undefined;
  const rest = meant === 'now' ? '' : `.${steps.join('.') || 'name'}`;
  return `did you mean {${meant}${rest}}?`;
};

const lettersOf = (word: string): string => [...word.toLowerCase()].sort().join('');

/** Reads the parts of a call by the words of placeholders. */
export const lookUpIn =
  (call: {
    readonly path: Readonly<Record<string, string>>;
    readonly query: URLSearchParams;
    readonly body: unknown;
    readonly now: string;
    readonly id: (prefix: string) => string;
  }): Lookup =>
  (root, steps) => {
    const name = steps.join('.');
    switch (root) {
      case 'path':
        return valueAt(call.path, name);
      case 'query':
        return call.query.get(name) ?? undefined;
      case 'now':
        return call.now;
      case 'id':
        return call.id(name);
      default:
        return steps.reduce<unknown>(
          (value, step) => valueAt(value, Array.isArray(value) ? Number(step) : step),
          call.body,
        );
    }
  };
