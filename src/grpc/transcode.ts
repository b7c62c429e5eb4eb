/**
 * Turns gRPC messages into API requests, as the annotations of methods say, and API replies into gRPC messages. Lists the
 * names of the descriptors that the contract does not have, so that the user can map them.
 */
import {
  type DescMethod,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
  toJson,
} from '@bufbuild/protobuf';
import type { Place } from '../engine/contract/members.ts';
import type { FieldViolation } from '../engine/core/errors.ts';
import { isJsonObject, valueAt } from '../engine/core/object.ts';
import { type BoundMethod, type HttpRule, VARIABLE } from './bind.ts';
import {
  type BoundMember,
  type Described,
  hasOwnJson,
  type MappedNames,
  MEANS_NONE,
  type OnLost,
  pairMembers,
  toFields,
  toMembers,
} from './message-members.ts';

export interface RestRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly contentType?: string;
  readonly body?: string;
  /** Fields that the path needs but the message lacks. */
  readonly missing: readonly FieldViolation[];
}

export interface Languages {
  /** The user's map of names. */
  readonly names: MappedNames;
  readonly registry: Registry;
}

export type Transcoder = ReturnType<typeof createTranscoder>;

/** Creates the transcoder of a method. If the contract has no operation for it, names stay as in the descriptors. */
export const createTranscoder = ({ method, rules, annotated }: BoundMethod, languages: Languages) => {
  const { registry } = languages;
  const [first = annotated[0], ...more] = rules.length > 0 ? rules : annotated;
  const main = pairForm(first, method, languages);
  const forms = [main, ...more.map((rule) => pairForm(rule, method, languages))];
  return {
    toRequest: (message: Message, onLost?: OnLost): RestRequest => {
      const json = toJson(method.input, message, { registry, useProtoFieldName: true });
      const fields = isJsonObject(json) ? json : {};
      const form = forms.find(({ rule }) => rule.variables.every((name) => textAt(fields, name) !== ''));
      return toRequest(form ?? main, fields, onLost);
    },
    /** Turns the reply of a successful API call into a protobuf message. @throws Error if the reply does not fit */
    toReply: (reply: JsonValue, onLost?: OnLost): Message => {
      const { responseBody } = first;
      const whole = responseBody === undefined ? reply : { [responseBody]: reply };
      const fields = hasOwnJson(method.output)
        ? whole
        : toFields(isJsonObject(whole) ? whole : {}, main.output, onLost);
      return fromJson(method.output, fields, { registry, ignoreUnknownFields: true });
    },
  };
};

type Form = ReturnType<typeof pairForm>;

/** Pairs the fields of a method's input and output with the members of the method's operation. */
export const pairForm = (rule: HttpRule, { input, output }: DescMethod, { names }: Languages) => {
  const { operation, body, responseBody } = rule;
  const sent =
    operation?.kind === undefined ? operation?.query : withPart(operation.query, body, operation.body);
  const status = operation?.statuses.find((one) => one >= 200 && one < 300);
  const received = status === undefined ? undefined : operation?.reply(status);
  return {
    rule,
    input: pairMembers(input, sent, names),
    output: pairMembers(output, received && withPart(EMPTY, responseBody ?? WHOLE, received), names),
  };
};

const toRequest = ({ rule, input }: Form, fields: JsonObject, onLost?: OnLost): RestRequest => {
  const { verb: method, body, variables, operation } = rule;
  const { path, missing } = fillTemplate(rule, fields);
  const members = toMembers(without(fields, variables), input, onLost);
  const part = input.find(({ field }) => field.name === body)?.name ?? '';
  const { [part]: inner = {}, ...rest } = members;
  const query = body === WHOLE ? '' : formOf(rest).toString();
  const request = { method, url: query === '' ? path : `${path}?${query}`, missing };
  const json = body === WHOLE ? members : inner;
  if (body === undefined) return request;
  return operation?.kind === FORM_TYPE && isJsonObject(json)
    ? { contentType: FORM_TYPE, body: formOf(json).toString(), ...request }
    : { contentType: JSON_TYPE, body: JSON.stringify(json), ...request };
};

/** In an annotation, `body: "*"` means all fields that are not in the path. */
const WHOLE = '*';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const EMPTY: Described = { members: new Map(), isOpen: false };

/** A message with `part` in the field `name`; if `name` is `*`, `part` is the whole message. */
const withPart = (whole: Described, name: string | undefined, part: Place): Described => {
  if (name === undefined) return whole;
  return name === WHOLE ? part : { ...EMPTY, members: new Map([...whole.members, [name, part]]) };
};

const textAt = (fields: JsonObject, path: string): string => {
  const value = valueAt(fields, ...path.split('.'));
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
};

/** Replaces each variable in the rule's path with its value in `fields`. `missing` lists variables without a value. */
const fillTemplate = ({ template }: HttpRule, fields: JsonObject) => {
  const missing: FieldViolation[] = [];
  const path = template.replace(VARIABLE, (variable, name: string, pattern = '*') => {
    const text = textAt(fields, name);
    // Any pattern other than `*` allows several segments, so a slash in the value is not escaped.
    const segments = pattern === '*' ? [text] : text.split('/');
    if (text !== '') return segments.map(encodeURIComponent).join('/');
    const description = `${name} is missing. Give it a value.`;
    missing.push({ field: name, constraint: 'required', description });
    return variable;
  });
  return { path, missing };
};

const without = (fields: JsonObject, paths: readonly string[]): JsonObject => {
  const left = { ...fields };
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.');
    const inner = left[name];
    if (rest.length > 0 && isJsonObject(inner)) left[name] = without(inner, [rest.join('.')]);
    else delete left[name];
  }
  return left;
};

/** Encodes members as a query or form. A list is sent as several fields with one name, an object as `outer.inner`. */
const formOf = (members: JsonObject): URLSearchParams => {
  const form = new URLSearchParams();
  const add = (name: string, value: JsonValue | undefined): void => {
    if (Array.isArray(value)) for (const one of value) add(name, one);
    else if (isJsonObject(value))
      for (const [inner, one] of Object.entries(value)) add(`${name}.${inner}`, one);
    else if (value !== undefined && value !== null) form.append(name, String(value));
  };
  for (const [name, value] of Object.entries(members)) add(name, value);
  return form;
};

/** Unmapped fields, as `Message.field`, and enum values. @param onlyLost of the fields, only the cases of a oneof */
export const unmappedNames = (
  methods: readonly BoundMethod[],
  languages: Languages,
  onlyLost = false,
): readonly string[] => {
  const [mapped, unmapped] = [new Set<string>(), new Set<string>()];
  const note = (name: string, isMapped: boolean, isChoice: boolean): void => {
    if (isMapped) mapped.add(name);
    else if (isChoice || !onlyLost) unmapped.add(name);
  };
  /** @param holders types of the messages around the field */
  const visit = (member: BoundMember, holders: readonly string[]): void => {
    const { field, isUnmapped, values } = member;
    note(`${field.parent.name}.${field.name}`, !isUnmapped, field.oneof !== undefined);
    if (isUnmapped) return;
    for (const { name } of field.enum?.values ?? [])
      if (!MEANS_NONE.test(name)) note(name, values?.toContract(name) !== undefined, true);
    const { typeName = '' } = field.message ?? {};
    const inner = holders.includes(typeName) ? [] : (member.members() ?? []);
    for (const each of inner) visit(each, [...holders, typeName]);
  };
  for (const { method, rules } of methods) {
    const inPath = new Set(rules.flatMap(({ variables }) => variables.map((path) => path.split('.')[0])));
    for (const { input, output } of rules.map((rule) => pairForm(rule, method, languages)))
      for (const member of [...input.filter(({ field }) => !inPath.has(field.name)), ...output])
        visit(member, []);
  }
  return [...unmapped].filter((name) => !mapped.has(name)).sort();
};
