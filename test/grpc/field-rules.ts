/** Reads the field rules of protovalidate in descriptors, makes messages at their limits, and checks messages against them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DescField,
  type DescMessage,
  fromBinary,
  type JsonObject,
  type JsonValue,
  toJson,
} from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { FeatureSet_FieldPresence, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { isJsonObject } from '../../src/engine/contract/document.ts';
import { toRegistry } from '../../src/grpc/registry.ts';

/** The rules of a field, as `example/options.proto` defines them. */
interface FieldRules {
  readonly required?: boolean;
  readonly uint32?: { readonly lt?: number; readonly lte?: number };
  readonly string?: TextRules;
  readonly repeated?: { readonly maxItems?: string; readonly items?: FieldRules };
  readonly map?: { readonly maxPairs?: string; readonly keys?: FieldRules; readonly values?: FieldRules };
}

interface TextRules {
  readonly minLen?: string;
  readonly maxLen?: string;
  readonly pattern?: string;
  readonly prefix?: string;
  readonly email?: boolean;
}

/** `protos/example/options.proto`, compiled. */
const OPTIONS = fromBinary(FileDescriptorSetSchema, readFileSync(join(import.meta.dirname, 'options.binpb')));
const RULES = toRegistry(OPTIONS.file).getMessage('example.options.FieldRules');

/** Field number of the option that carries the rules. */
const OPTION = 1159;

const rulesOf = ({ proto }: DescField): FieldRules => {
  const found = proto.options?.$unknown?.find(({ no }) => no === OPTION);
  if (!found || !RULES) return {};
  return toJson(RULES, fromBinary(RULES, new BinaryReader(found.data).bytes())) as FieldRules;
};

/** Whether a message keeps the rules of its fields. For an absent field with presence, only `required` counts. */
export const keepsRules = (message: JsonObject, { fields }: DescMessage): boolean =>
  fields.every((field) => {
    const value = message[field.name];
    const rules = rulesOf(field);
    if (value === undefined && rules.required) return false;
    if (field.fieldKind === 'message' && field.message && isJsonObject(value))
      return keepsRules(value, field.message);
    const isImplicit = field.presence === FeatureSet_FieldPresence.IMPLICIT;
    return value === undefined && !(isImplicit && rules.string) ? true : isKept(value ?? '', rules);
  });

const isKept = (value: JsonValue, { required, uint32, string, repeated, map }: FieldRules): boolean => {
  const { items } = repeated ?? {};
  const { keys, values } = map ?? {};
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return (
    (!required || value !== '') &&
    (!string || keepsText(String(value), string)) &&
    (!uint32 || (Number(value) < (uint32.lt ?? 2 ** 32) && Number(value) <= (uint32.lte ?? 2 ** 32))) &&
    (!Array.isArray(value) || value.length <= Number(repeated?.maxItems ?? value.length)) &&
    (!Array.isArray(value) || !items || value.every((one) => isKept(one, items))) &&
    entries.length <= Number(map?.maxPairs ?? entries.length) &&
    entries.every(([key, one]) => (!keys || isKept(key, keys)) && (!values || isKept(one ?? '', values)))
  );
};

/** The pattern for e-mail addresses from HTML, which protovalidate uses. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

const keepsText = (text: string, { minLen, maxLen, pattern, prefix = '', email }: TextRules): boolean => {
  const { length } = Array.from(text);
  return (
    length >= Number(minLen ?? 0) &&
    length <= Number(maxLen ?? length) &&
    (pattern === undefined || new RegExp(pattern).test(text)) &&
    text.startsWith(prefix) &&
    (!email || EMAIL.test(text))
  );
};

/**
 * Messages that differ from a valid message in one field: at its limits, next to them, empty, absent, of another
 * form. Fields that the valid message does not have stay absent.
 */
export const casesOf = (valid: JsonObject, { fields }: DescMessage): readonly Case[] =>
  fields.flatMap((field) => {
    const seed = valid[field.name];
    const rules = rulesOf(field);
    if (seed === undefined) return [];
    const { [field.name]: _left, ...absent } = valid;
    const inner =
      field.fieldKind === 'message' && field.message && isJsonObject(seed)
        ? casesOf(seed, field.message).map(({ field: path, message }) => ({ path, value: message }))
        : [];
    const own = valuesOf(seed, rules).map((value) => ({ path: '', value }));
    const isRuled = own.length > 0 || rules.required;
    return [
      ...(isRuled ? [{ field: field.name, message: absent }] : []),
      ...[...own, ...inner].map(({ path, value }) => ({
        field: path === '' ? field.name : `${field.name}.${path}`,
        message: { ...valid, [field.name]: value },
      })),
    ];
  });

export interface Case {
  /** The path of the field that differs from the valid message. */
  readonly field: string;
  readonly message: JsonObject;
}

const valuesOf = (seed: JsonValue, { uint32, string, repeated, map }: FieldRules): readonly JsonValue[] => {
  if (string) return [...new Set(textsOf(String(seed), string))];
  if (uint32) return [0, 1, ...around(uint32.lt ?? uint32.lte ?? 0), 2 ** 31, 2 ** 32 - 1];
  if (map) return mapsOf(map);
  if (!repeated || !Array.isArray(seed)) return [];
  const [first = ''] = seed;
  return [
    ...around(repeated.maxItems).map((count) => Array.from({ length: count }, () => first)),
    ...valuesOf(first, repeated.items ?? {}).map((one) => [one]),
  ];
};

const mapsOf = ({ maxPairs, keys, values }: NonNullable<FieldRules['map']>): readonly JsonObject[] => [
  {},
  ...around(maxPairs).map((count) =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`key${nth}`, 'value'])),
  ),
  ...valuesOf('key', keys ?? {}).map((key) => ({ [String(key)]: 'value' })),
  ...valuesOf('value', values ?? {}).map((value) => ({ key: value })),
];

/** The numbers from one below a limit to one above. */
const around = (limit: string | number | undefined): readonly number[] =>
  limit === undefined ? [] : [-1, 0, 1].map((by) => Number(limit) + by).filter((length) => length >= 0);

/** Characters at the edges of character classes, and far outside. */
const EDGES = [...' -_:./09;@AZ[`az{+,%&?#"\'()\\\t\n', 'é', 'ß', '漢', '\u{1f600}'];

const EMAILS = [
  ...['ada', 'ada@', '@acme.test', 'a b@acme.test', 'ada@acme', 'ada@-acme.test', 'ada@acme..test'],
  ...['ada@@acme.test', '.ada@acme.test', '"ada"@acme.test', 'ada@[127.0.0.1]', 'ada@äcme.test'],
  ...[254, 255].map((length) =>
    `ada@${['a', 'b', 'c'].map((one) => `${one.repeat(63)}.`).join('')}`.padEnd(length, 'd'),
  ),
];

const textsOf = (seed: string, { minLen, maxLen, pattern, prefix, email }: TextRules): readonly string[] => {
  const ofLength = (length: number): string => (seed + 'a'.repeat(length)).slice(0, length);
  const most = around(maxLen);
  return [
    '',
    ...[...around(minLen), ...most].map(ofLength),
    ...most.filter((length) => length > 0).map((length) => `${ofLength(length - 1)}\u{1f600}`),
    ...(pattern === undefined ? [] : EDGES.flatMap((edge) => [seed + edge, edge])),
    ...(prefix === undefined ? [] : [prefix, seed.toUpperCase(), seed.slice(1), ` ${seed}`, `${seed}-_ :.`]),
    ...(email ? EMAILS : []),
  ];
};
