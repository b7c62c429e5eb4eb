/** Translates REST calls and replies to gRPC messages, in another way than the mock does. */
import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import {
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { type BoundRule, bindMethods } from '../../src/grpc/bind.ts';
import { loadContract } from '../../src/service/document.ts';
import { REGISTRY } from './support.ts';

/** Names of the contract that the descriptors spell differently, apart from the prefixes of enum values. */
const NAMES: Readonly<Record<string, string>> = {
  vendorb_dwd: 'contoso_dwd',
  VENDORB_DWD: 'CONTOSO_DWD',
  VENDORA_OAUTH1: 'NORTHWIND_OAUTH1',
  authRequests: 'auth_requests',
};

/** Headers that metadata carries too, and headers about the connection. A call with any other header is REST only. */
export const CARRIED = ['authorization', 'x-mock-environment', 'baggage', 'prefer', 'x-request-id'];
const OF_CONNECTION =
  /^(host|connection|accept(-.*)?|user-agent|sec-fetch-mode|content-(type|length)|transfer-encoding)$/;
export interface Given {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Call {
  readonly rule: BoundRule;
  readonly method: DescMethodUnary;
  readonly message: Message;
}

const METHODS = bindMethods(REGISTRY, loadContract()).flatMap(({ method, rules }) =>
  // The cast is safe, since only methods with one request and one reply have rules.
  rules.map((rule) => ({ method: method as DescMethodUnary, rule, path: toPattern(rule) })),
);

function toPattern({ operation }: BoundRule): RegExp {
  const escaped = operation.path.replaceAll('.', '\\.');
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '([^/:]+(?::[^/:]+)*)')}$`);
}

/** The gRPC call for a request; undefined if no message can express the request. */
export const toCall = (given: Given): Call | undefined => {
  const { method: verb, path: url, headers } = given;
  const isPlain = Object.keys(headers).every((name) => CARRIED.includes(name) || OF_CONNECTION.test(name));
  const { pathname, searchParams } = new URL(url, 'http://mock');
  for (const { method, rule, path } of METHODS) {
    const values = rule.verb === verb && isPlain ? path.exec(pathname)?.slice(1) : undefined;
    if (!values) continue;
    try {
      const fields = toFields(rule, method.input, values.map(decodeURIComponent), searchParams, given);
      const wanted = spell(fields, method.input);
      const message = fromJson(method.input, wanted, { registry: REGISTRY });
      if (isDeepStrictEqual(jsonOf(method.input, message), asTexts(wanted))) return { rule, method, message };
    } catch {
      // Only REST can send a body that is not JSON, an unknown member, or a value of another type.
    }
  }
  return undefined;
};

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** @throws Error if a message cannot hold the parts of a request separately */
const toFields = (
  rule: BoundRule,
  message: DescMessage,
  values: readonly string[],
  query: URLSearchParams,
  given: Given,
): JsonObject => {
  const fields = { ...fieldsOfBody(rule, given), ...fieldsOfQuery(query, message) };
  if (rule.body === '*' && query.size > 0) throw new Error('All fields are in the body.');
  rule.variables.forEach((path, index) => {
    const [name = '', inner] = path.split('.');
    if (name in fields) throw new Error(`${name} is given twice.`);
    const value = values[index] ?? '';
    fields[name] = inner === undefined ? value : { [inner]: value };
  });
  return fields;
};

const fieldsOfQuery = (query: URLSearchParams, message: DescMessage): JsonObject =>
  Object.fromEntries(
    [...query.keys()].map((name) => {
      const all = query.getAll(name);
      const isList = message.fields.some((field) => field.name === name && field.fieldKind === 'list');
      return [name, isList || all.length > 1 ? all : (all[0] ?? '')];
    }),
  );

const fieldsOfBody = ({ body: part, operation }: BoundRule, { headers, body }: Given): JsonObject => {
  const wanted = operation.path === '/oauth/token' ? FORM : JSON_TYPE;
  const [type] = (headers['content-type'] ?? JSON_TYPE).split(';');
  if (type !== wanted) throw new Error(`${type} is for REST alone.`);
  if (part === undefined && body !== '') throw new Error('The method has no body.');
  const sent = wanted === FORM ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body || '{}');
  if (!isObject(sent)) throw new Error('A message is an object.');
  if (wanted === JSON_TYPE && body !== '' && JSON.stringify(sent) !== body)
    throw new Error('A member is given twice.');
  if (part === undefined) return {};
  return part === '*' ? sent : { [part]: sent };
};

/** JSON of the contract as JSON of a message. Members that the message does not have stay as they are. */
const spell = (given: JsonObject, message: DescMessage): JsonObject => {
  const spelled: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    const field = message.fields.find((one) => one.name === (NAMES[name] ?? name));
    if (!field) spelled[name] = value;
    else if (value !== null) spelled[field.name] = spellValue(value, field);
  }
  return spelled;
};

const spellValue = (value: JsonValue, field: DescField): JsonValue =>
  field.fieldKind === 'list' && Array.isArray(value)
    ? value.map((one) => spellOne(one, field))
    : spellOne(value, field);

const spellOne = (value: JsonValue, field: DescField): JsonValue => {
  if (field.enum && typeof value === 'string') {
    const wanted = NAMES[value] ?? value;
    const { values, sharedPrefix = '' } = field.enum;
    const found = values.find(({ name }) => name === wanted || name === sharedPrefix.toUpperCase() + wanted);
    return found?.name ?? value;
  }
  const isOwn = field.message && !field.message.typeName.startsWith('google.');
  if (field.fieldKind !== 'map' && isOwn && isObject(value)) return spell(value, field.message);
  return value;
};

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const jsonOf = (descriptor: DescMessage, message: Message): JsonValue =>
  asTexts(toJson(descriptor, message, { registry: REGISTRY, useProtoFieldName: true }));

/** Turns numbers into texts, because the JSON of messages writes 64-bit numbers as texts. */
const asTexts = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(asTexts);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asTexts(one)]));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

export const normal = (descriptor: DescMessage, body: JsonObject): JsonValue => {
  const options = { registry: REGISTRY, ignoreUnknownFields: true };
  return jsonOf(descriptor, fromJson(descriptor, spell(body, descriptor), options));
};
