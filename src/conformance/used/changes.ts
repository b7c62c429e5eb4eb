/** What a changed schema means for an application that sends, gets or reads a value at a place of the contract. */
import { isJsonObject, type Json } from '../../contract/document.ts';
import { holdersOf, ITEMS, joined, membersOf, type Place, partAt, placeOf } from '../../contract/members.ts';
import { accepts, differencesOf, type KeywordDifference, viewOf } from './keywords.ts';

export const EFFECTS = ['breaks', 'may break', 'new'] as const;
export type Effect = (typeof EFFECTS)[number];

export interface Told {
  readonly effect: Effect;
  /** The parameter, member or status that changes. Absent if the whole operation changes. */
  readonly member?: string;
  /** What has changed. The report prints this text after the member, to complete a sentence. */
  readonly words: string;
}

export const told = (effect: Effect, member: string | undefined, words: string): Told => ({
  effect,
  ...(member !== undefined && { member }),
  words,
});

export const toldIf = (isSo: boolean, ...change: Parameters<typeof told>): readonly Told[] =>
  isSo ? [told(...change)] : [];

/** How an application uses a value. `returned`: replies had it, but nobody knows whether the application reads it. */
export type Use = 'sent' | 'returned' | 'read';

interface Pair {
  readonly was: Place;
  readonly is: Place;
  readonly path: string;
  /** Whether the application uses no member of the value, so that everything inside it counts as used. */
  readonly isLeaf: boolean;
  /** The paths of everything that is sent; for `sent` only. */
  readonly names?: ReadonlySet<string>;
}

/** The paths of names and of everything that contains them, the outer ones first: `roles`, `roles[]`, `roles[].name`. */
export const pathsOf = (names: ReadonlySet<string>): readonly { path: string; isLeaf: boolean }[] => {
  const inner = new Set([...names].flatMap(holdersOf));
  return [...new Set([...inner, ...names])].sort().map((path) => ({ path, isLeaf: !inner.has(path) }));
};

export const valueChanges = (use: Use, pair: Pair, depth = 0): readonly Told[] => {
  const { was, is, path } = pair;
  const own = differencesOf(viewOf(was), viewOf(is)).flatMap((one) =>
    use === 'sent' ? sentDifference(one, pair) : gotDifference(one, use),
  );
  const inner = depth < DEEPEST ? insideOf(pair).flatMap((one) => valueChanges(use, one, depth + 1)) : [];
  const isDeprecated = marked(is, 'deprecated') && !marked(was, 'deprecated');
  return [
    ...[...presence(use, was, is), ...own].map(([effect, words]) =>
      told(effect, path, `is ${use}, but ${words}`),
    ),
    ...inner,
    ...toldIf(isDeprecated, 'new', path, 'is now deprecated'),
  ];
};

/** A schema can contain itself, so the search ends here. */
const DEEPEST = 8;

/** The places inside a value that have no name of their own: items, and the names and values of other members. */
const insideOf = ({ was, is, path, isLeaf }: Pair): readonly Pair[] => {
  const pair = (from: Place | undefined, to: Place | undefined, name: string): readonly Pair[] =>
    from || to ? [{ was: from ?? anything(was), is: to ?? anything(is), path: name, isLeaf: true }] : [];
  const at = (place: Place, keyword: string): Place | undefined => {
    const schema = partAt(place.document, place.schema, (form) => form[keyword]);
    return schema && placeOf(place.document, schema);
  };
  const isClosed = [was, is].some((place) => viewOf(place).has('additionalProperties'));
  const others = 'additionalProperties';
  return [
    ...(isLeaf ? pair(was.items, is.items, path + ITEMS) : []), // otherwise the items have a path of their own
    ...(isClosed ? [] : pair(at(was, others), at(is, others), `${path}.*`)),
    ...pair(at(was, 'propertyNames'), at(is, 'propertyNames'), `${path} (names)`),
  ];
};

const anything = ({ document }: Place): Place => placeOf(document, {});

type Words = readonly [effect: Effect, words: string];

const marked = ({ document, schema }: Place, keyword: string): boolean =>
  membersOf(document, schema).forms.some((form) => form[keyword] === true);

const presence = (use: Use, was: Place, is: Place): readonly Words[] => {
  const gained = (keyword: string): boolean => marked(is, keyword) && !marked(was, keyword);
  if (use === 'sent') return gained('readOnly') ? [['breaks', 'is now read-only']] : [];
  if (gained('writeOnly')) return [[use === 'read' ? 'breaks' : 'may break', 'is now write-only']];
  return was.isRequired && !is.isRequired ? [['may break', 'can now be absent']] : [];
};

const sentDifference = (one: KeywordDifference, { was, path, names = new Set() }: Pair): readonly Words[] => {
  const { keyword, was: from = [], is: to = [], allowsLess } = one;
  if (!one.isKnown) return [unknown(one)];
  if (!allowsLess) return [];
  if (keyword === 'type') return sentTypes(from, to);
  if (keyword === 'enum')
    return was.values.size > 0 ? [] : [['may break', `its value must now be ${list(to)}`]];
  if (keyword === 'dependentRequired')
    return to
      .filter((each) => !from.includes(each))
      .flatMap((each): readonly Words[] => {
        const [needed = '', name = ''] = String(each).split(/, if | is present$/);
        const isSent = (member: string): boolean => names.has(joined(path, member));
        return isSent(name) && !isSent(needed) ? [['breaks', `now needs ${each}`]] : [];
      });
  return [['may break', limitWords(one, 'less')]];
};

const sentTypes = (from: readonly Json[], to: readonly Json[]): readonly Words[] => {
  const lost = from.filter((type) => !accepts(to, type));
  const rest = lost.filter((type) => type !== 'null');
  const isWhole =
    from.length > 0 && !from.some((type) => accepts(to, type)) && !to.some((type) => accepts(from, type));
  const other = `must now be ${list(withoutNull(to))} instead of ${list(from)}`;
  return [
    ...(lost.length > rest.length ? [['may break', 'can no longer be null'] as const] : []),
    ...(rest.length > 0 || from.length === 0 ? [[isWhole ? 'breaks' : 'may break', other] as const] : []),
  ];
};

const gotDifference = (one: KeywordDifference, use: Use): readonly Words[] => {
  const { keyword, was: from = [], is: to, allowsMore } = one;
  if (!one.isKnown) return [unknown(one)];
  if (!allowsMore) return [];
  if (keyword === 'additionalProperties') return [['new', 'can now have other members']];
  if (!to) return [['may break', limitWords(one, 'more')]];
  const added = to.filter((each) => (keyword === 'type' ? !accepts(from, each) : !from.includes(each)));
  if (keyword === 'enum') {
    const values = withoutNull(added); // the types tell of null
    return values.length > 0 ? [['may break', `can now be ${list(values)}`]] : [];
  }
  if (keyword !== 'type') return [['may break', limitWords(one, 'more')]];
  const isOther =
    withoutNull(to).length > 0 &&
    !withoutNull(to).some((type) => accepts(from, type) || accepts([type], from[0] ?? ''));
  return isOther
    ? [[use === 'read' ? 'breaks' : 'may break', `its type changed from ${list(from)} to ${list(to)}`]]
    : [['may break', `can now be ${list(added)}`]];
};

const withoutNull = (values: readonly Json[]): readonly Json[] =>
  values.filter((value) => value !== null && value !== 'null');

const list = (values: readonly unknown[]): string => values.map(String).join(' or ') || 'anything';

const unknown = ({ keyword }: KeywordDifference): Words => ['may break', `${keyword} changed: look at it`];

/** For a keyword that limits values: whether more or less is allowed, or something else. */
const limitWords = (
  { keyword, was, is, allowsLess, allowsMore }: KeywordDifference,
  word: 'less' | 'more',
): string => {
  const show = (said: readonly Json[] | undefined): string => {
    if (!said) return `no ${keyword}`;
    const [edge, isExcluded] = said;
    if (edge === true) return keyword;
    return isExcluded === true
      ? `${keyword} ${edge}, excluded`
      : `${keyword} ${said.filter((each) => each !== false).join(', ')}`;
  };
  return allowsLess && allowsMore
    ? `its ${keyword} changed from ${show(was).slice(keyword.length + 1)} to ${show(is).slice(keyword.length + 1)}`
    : `the contract now allows ${word}: ${show(is)}`;
};

/** Reports the members that can be sent now, or must be, and defaults of members that the application does not send. */
export const addedMembers = (
  before: Place | undefined,
  after: Place,
  path: string,
  sent: ReadonlySet<string>,
  depth = 0,
): readonly Told[] => [
  ...(after.items && depth < DEEPEST
    ? addedMembers(before?.items, after.items, path + ITEMS, sent, depth + 1)
    : []),
  ...[...after.members].flatMap(([name, is]): readonly Told[] => {
    const at = joined(path, name);
    const was = before?.members.get(name);
    if (isSent(at, sent)) return addedMembers(was, is, at, sent);
    if (marked(is, 'readOnly')) return [];
    if (is.isRequired && !was?.isRequired) return [told('breaks', at, 'is now required, but is not sent')];
    if (!was) return [told('new', at, 'can be sent')];
    const [old, now] = [was, is].map(defaultOf);
    const words = `is not sent, and its default changed from ${old} to ${now}`;
    return toldIf(old !== now, 'may break', at, words);
  }),
];

const defaultOf = ({ document, schema }: Place): string => {
  const form = membersOf(document, schema).forms.find((one) => one.default !== undefined);
  return form === undefined || isJsonObject(form.default) ? 'none' : String(form.default);
};

/** Whether an application sends a member. An object counts as sent if one of its members is sent. */
const isSent = (member: string, sent: ReadonlySet<string>): boolean =>
  [...sent].some(
    (name) => name === member || name.startsWith(`${member}.`) || name.startsWith(`${member}[]`),
  );
