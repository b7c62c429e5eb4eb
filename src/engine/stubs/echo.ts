/**
 * The placeholders in the replies and rows of a stub (behaviour X6): `{path.name}`, `{query.name}`, `{body.a.b}`, `{now}`
 * and `{id.usr}`, a new id, the same wherever it stands.
 */
import { defined, isJsonObject, type JsonObject, mapMembers, valueAt } from '../core/object.ts';
import { nearest } from '../core/text.ts';

const BRACES = /\{([A-Za-z]+(?:\.[\w*-]+)*)\}/g;
/** What in braces is a placeholder. Other texts in braces are ordinary text. */
const PLACEHOLDER = /^(?:now|body(?:\..+)?|(?:path|query|id)\..+)$/;
const ROOTS = ['path', 'query', 'body', 'now', 'id'];

/** What the placeholders stand for in the reply to one call. */
export interface Echoed {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly now: string;
  id(prefix: string): string;
  /** Makes the token that stands for `{ $token: { claims } }`, for applications that sign users in. */
  sign(claims: object): string;
}

const echo = (placeholder: string, { path, query, body, now, id }: Echoed): unknown => {
  const [root, ...steps] = placeholder.split('.');
  const name = steps.join('.');
  if (root === 'query') return query.get(name) ?? undefined;
  if (root === 'id') return id(name);
  if (root === 'path') return valueAt(path, name);
  return root === 'now' ? now : valueAt(body, ...steps);
};

/**
 * Copies a value with its placeholders filled. A string that is one placeholder becomes its value of any type; a member
 * without a value is left out.
 */
export const fill = (value: unknown, echoed: Echoed): unknown => {
  if (typeof value === 'string') return fillText(value, echoed);
  if (Array.isArray(value)) return value.map((item) => fill(item, echoed) ?? null);
  if (!isJsonObject(value)) return value;
  if (isClaims(value)) return echoed.sign(Object(fill(value.$token, echoed)));
  return defined(mapMembers(value, (member) => fill(member, echoed)));
};

const fillText = (text: string, echoed: Echoed): unknown => {
  const filledBy = (inner: string): unknown => (PLACEHOLDER.test(inner) ? echo(inner, echoed) : `{${inner}}`);
  if (text.match(BRACES)?.[0] === text) return filledBy(text.slice(1, -1));
  return text.replaceAll(BRACES, (_braces, inner: string) => {
    const value = filledBy(inner) ?? '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
};

export const hasPlaceholder = (text: string): boolean =>
  [...text.matchAll(BRACES)].some(([, inner = '']) => PLACEHOLDER.test(inner));

/** Whether an object stands for a token that the mock signs, with these claims. */
const isClaims = (value: object): value is { readonly $token: JsonObject } =>
  '$token' in value && isJsonObject(value.$token) && Object.keys(value).length === 1;

/** What the placeholders of a stub can stand for: the names in its path, ids with these prefixes, and a body. */
export interface Fillers {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
  readonly hasBody: boolean;
}

/** Why a value in a stub can never be filled; undefined if it can. Does not look at what is inside of the value. */
export const fillProblem = (value: unknown, fillers: Fillers): string | undefined => {
  if (isJsonObject(value) && '$token' in value && !isClaims(value))
    return '$token stands alone, and holds the claims of a token';
  for (const [braces, inner = ''] of typeof value === 'string' ? value.matchAll(BRACES) : []) {
    const [root = '', ...steps] = inner.split('.');
    const name = steps.join('.');
    const problem = PLACEHOLDER.test(inner) ? unfilled(root, name, fillers) : misspelt(root, name);
    if (problem !== undefined) return `${braces} cannot be filled: ${problem}`;
  }
  return undefined;
};

const unfilled = (root: string, name: string, { names, prefixes, hasBody }: Fillers): string | undefined => {
  if (root === 'path' && !names.includes(name))
    return names.length > 0 ? `the path has ${names.join(', ')}` : 'the path has no names';
  if (root === 'id' && !prefixes.includes(name)) return `ids begin with ${prefixes.join(', ')}`;
  return root === 'body' && !hasBody ? 'calls with this method have no body' : undefined;
};

const misspelt = (root: string, name: string): string | undefined => {
  const meant = ROOTS.find((known) => lettersOf(known) === lettersOf(root)) ?? nearest(root, ROOTS, 1);
  if (meant === undefined) return undefined;
  return `did you mean {${meant}${meant === 'now' ? '' : `.${name || 'name'}`}}?`;
};

const lettersOf = (word: string): string => [...word.toLowerCase()].sort().join('');
