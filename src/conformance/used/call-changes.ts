/** What changes about a call beside its data: how it is authorized, its headers and path, its media types. */
import { follow, isJsonObject } from '../../contract/document.ts';
import { parametersIn, responseFor, securityOf, sentTypes, takesType, type Version } from './calls.ts';
import { type Told, told, toldIf, valueChanges } from './changes.ts';
import type { UsedOperation } from './used.ts';

export const callChanges = (was: Version, is: Version, used: UsedOperation): readonly Told[] => [
  ...securityChanges(was, is),
  ...(['path', 'query', 'header', 'cookie'] as const).flatMap((where) =>
    parameterChanges(was, is, where, new Set(used.sends.map((sent) => sent.split(/[.=[]/, 1)[0] ?? ''))),
  ),
  ...bodyTypes(was, is, used),
  ...Object.keys(used.gets).flatMap((status) => responseChanges(was, is, status, used)),
  ...toldIf(isDeprecated(is) && !isDeprecated(was), 'new', undefined, 'is now deprecated'),
];

const isDeprecated = ({ operation: { definition } }: Version): boolean =>
  'deprecated' in definition && definition.deprecated === true;

/** The application sends what one of the old alternatives asks for, but nobody knows which. */
const securityChanges = (was: Version, is: Version): readonly Told[] => {
  const [own, theirs] = [securityOf(was), securityOf(is)];
  const isEnough = (mine: (typeof own)[number]): boolean =>
    theirs.some((wanted) =>
      wanted.every(({ kind, scopes }) =>
        mine.some((one) => one.kind === kind && scopes.every((scope) => one.scopes.includes(scope))),
      ),
    );
  if (own.every(isEnough)) return [];
  const kinds = new Set(own.flat().map(({ kind }) => kind));
  const isKnownKind = theirs.some((wanted) => wanted.every(({ kind }) => kinds.has(kind)));
  const shown = theirs.map((wanted) =>
    wanted
      .map(({ kind, scopes }) => kind + (scopes.length > 0 ? ` with ${scopes.join(' and ')}` : ''))
      .join(' and '),
  );
  return [told(isKnownKind ? 'may break' : 'breaks', undefined, `now needs ${shown.join(' or ')}`)];
};

const parameterChanges = (
  was: Version,
  is: Version,
  where: 'path' | 'query' | 'header' | 'cookie',
  sent: ReadonlySet<string>,
): readonly Told[] => {
  const before = parametersIn(was, where);
  return [...parametersIn(is, where)].flatMap(([key, { label, place, form }]): readonly Told[] => {
    const old = before.get(key);
    const isUsed = old !== undefined && (where !== 'query' || sent.has(key));
    const words = 'is sent, but the way to write it changed: look at it';
    const look = toldIf(isUsed && old.form !== form, 'may break', label, words);
    if (where === 'query') return look; // their schemas are compared with the body's
    if (place.isRequired && where !== 'path' && !old?.place.isRequired)
      return [told('breaks', label, 'is now required')];
    if (!old) return toldIf(where !== 'path', 'new', label, 'can be sent');
    return [...look, ...valueChanges('sent', { was: old.place, is: place, path: label, isLeaf: true })];
  });
};

const bodyTypes = (was: Version, is: Version, { sends }: UsedOperation): readonly Told[] => {
  const [[own] = [], types] = [sentTypes(was), sentTypes(is)];
  if (own === undefined || types === undefined) return []; // without a body, its members are reported as removed
  const requiresBody = ({ contract: { document }, operation }: Version): boolean =>
    follow(document, operation.definition.requestBody).required === true;
  const isMissing = requiresBody(is) && !requiresBody(was) && sends.length === 0;
  const other = `is sent as ${own}, but must now be ${types.join(' or ')}`;
  return [
    ...toldIf(!takesType(types, own), 'breaks', 'the body', other),
    ...toldIf(isMissing, 'may break', 'the body', 'is now required, but nothing is sent'),
  ];
};

const responseChanges = (
  was: Version,
  is: Version,
  status: string,
  { reads }: UsedOperation,
): readonly Told[] => {
  const [before, after] = [responseFor(was, status), responseFor(is, status)];
  if (!before || !after) return [];
  const namesIn = (value: unknown): readonly string[] => Object.keys(isJsonObject(value) ? value : {});
  const headers = new Set(namesIn(after.headers).map((name) => name.toLowerCase()));
  const lost = namesIn(before.headers).filter((name) => !headers.has(name.toLowerCase()));
  const removed = 'is returned, but was removed from the contract';
  const [own] = namesIn(before.content);
  const types = namesIn(after.content);
  const isOther = own !== undefined && types.length > 0 && !takesType(types, own);
  const other = `is returned as ${own}, but is now returned as ${types.join(' or ')}`;
  return [
    ...lost.map((name) => told('may break', `${status} header ${name}`, removed)),
    ...toldIf(isOther, reads ? 'breaks' : 'may break', status, other),
  ];
};
