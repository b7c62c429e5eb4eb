/**
 * Converts the JSON of protobuf messages to the contract's JSON and back: member names, enum values, 64-bit numbers. Names
 * of descriptors and of the contract are equal, but for the prefix of an enum, or mapped by the user.
 */
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from '@bufbuild/protobuf';
import { parse } from 'yaml';
import type { Place } from '../engine/contract/members.ts';
import { readRegularFile } from '../engine/core/files.ts';
import { isJsonObject } from '../engine/core/object.ts';

/** A field of a message, and the member of the contract that corresponds to the field. */
export interface BoundMember {
  readonly field: DescField;
  /** The member's name in the contract. */
  readonly name: string;
  /** True if the contract describes the message, but without a member for this field. */
  readonly isUnmapped: boolean;
  /** The names of the values, if the field is an enum. */
  readonly values: ValueNames | undefined;
  readonly isNumber: boolean;
  /** The members of the message in the field. Undefined for scalars, enums, maps and well-known types. */
  members(): readonly BoundMember[] | undefined;
}

/** Pairs each field of a message with a member of the contract, or with its own name if the contract has none. */
export const pairMembers = (
  message: DescMessage,
  { members: known, isOpen }: Described = NOTHING,
  given: MappedNames,
): readonly BoundMember[] =>
  message.fields.map((field) => {
    const others = [given.get(field.name), field.jsonName];
    const name = others.find((one) => one !== undefined && known.has(one)) ?? field.name;
    const own = known.get(name);
    const item = own?.items ?? own;
    const values = Array.from(item?.values ?? [], String);
    const inner = innerOf(field);
    let members: readonly BoundMember[] | undefined;
    return {
      field,
      name,
      isUnmapped: !own && !isOpen,
      values: field.enum && nameValues(field.enum, values.length > 0 ? values : undefined, given),
      isNumber: [item?.type].flat().some((one) => one === 'integer' || one === 'number'),
      members: () => {
        if (inner) members ??= pairMembers(inner, item, given); // the fields are paired only when needed, since a message may contain itself
        return members;
      },
    };
  });

/** What the contract says of a message. */
export type Described = Pick<Place, 'members' | 'isOpen'>;

const NOTHING: Described = { members: new Map(), isOpen: true };

/** Whether a type's JSON differs from its fields, as for a wrapper or a time. */
export const hasOwnJson = ({ typeName }: DescMessage): boolean => typeName.startsWith('google.protobuf.');

/** The message type of a single or repeated field; undefined if it has JSON of its own. */
const innerOf = (field: DescField): DescMessage | undefined =>
  field.fieldKind !== 'map' && field.message && !hasOwnJson(field.message) ? field.message : undefined;

/** Called with a sentence for each value that the other side has no name for, so that it is lost. */
export type OnLost = (sentence: string) => void;

const nameOf = ({ field }: BoundMember): string => `${field.parent.name}.${field.name}`;
const MAP_IT = 'Map it in a file of names.';

/** Turns a message, as JSON with field names as in the descriptors, into members of the contract. */
export const toMembers = (
  fields: JsonObject,
  members: readonly BoundMember[],
  onLost: OnLost = () => {},
): JsonObject => {
  const sent: JsonObject = {};
  for (const member of members) {
    const value = fields[member.field.name];
    const converted = value === undefined ? undefined : toValue(value, member, onLost);
    if (converted === undefined) continue;
    sent[member.name] = converted;
    if (member.isUnmapped) onLost(`The API has no member for ${nameOf(member)} and ignores it. ${MAP_IT}`);
  }
  return sent;
};

const toValue = (value: JsonValue, member: BoundMember, onLost: OnLost): JsonValue | undefined => {
  if (Array.isArray(value))
    return value
      .map((one) => toValue(one, member, onLost))
      .filter((one): one is JsonValue => one !== undefined);
  if (typeof value === 'string' && member.values) {
    const found = member.values.toContract(value);
    if (found === undefined && !MEANS_NONE.test(value))
      onLost(`The API has no value for ${value} of ${nameOf(member)}, so it was left out. ${MAP_IT}`);
    return found;
  }
  // Protobuf's JSON writes 64-bit numbers as strings.
  if (typeof value === 'string') return member.isNumber ? Number(value) : value;
  const inner = isJsonObject(value) ? member.members() : undefined;
  return inner && isJsonObject(value) ? toMembers(value, inner, onLost) : value;
};

/** Turns members of the contract into fields of a message. Leaves out members for which the message has no field. */
export const toFields = (
  body: JsonObject,
  members: readonly BoundMember[],
  onLost: OnLost = () => {},
): JsonObject => {
  const fields: JsonObject = {};
  const chosen = new Set<DescOneof>();
  for (const member of members) {
    const { field, name } = member;
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (field.oneof && chosen.has(field.oneof)) continue; // a oneof can have only one value, so the first is used
    if (field.oneof) chosen.add(field.oneof);
    const each = (): JsonValue[] => [value].flat().map((one) => toField(one, member, onLost));
    fields[field.name] =
      field.fieldKind === 'list' ? each().filter((one) => one !== null) : toField(value, member, onLost);
  }
  tellLost(body, members, onLost);
  return fields;
};

/** Tells of members without a field in a message with a oneof, which would arrive without any of its cases. */
const tellLost = (body: JsonObject, members: readonly BoundMember[], onLost: OnLost): void => {
  const { parent } = members.find(({ field }) => field.oneof)?.field ?? {};
  if (!parent) return;
  const known = new Set(members.map(({ name }) => name));
  for (const name of Object.keys(body))
    if (!known.has(name)) onLost(`${parent.name} has no field for ${name}, so it arrives empty. ${MAP_IT}`);
};

/** Converts a member's value to a value for its field; returns null if the field's enum does not have the value. */
const toField = (value: JsonValue, member: BoundMember, onLost: OnLost): JsonValue => {
  const { field, values } = member;
  const isText = field.scalar === ScalarType.STRING;
  if (field.fieldKind === 'map') {
    const entries = Object.entries(isJsonObject(value) ? value : {});
    return Object.fromEntries(entries.map(([key, one]) => [textOf(key), isText ? textOf(one) : one]));
  }
  if (values) {
    const found = values.toDescriptor(String(value));
    if (found === undefined)
      onLost(`${nameOf(member)} has no value for ${String(value)}, so it arrives empty. ${MAP_IT}`);
    return found ?? null;
  }
  const inner = member.members();
  if (inner) return toFields(isJsonObject(value) ? value : {}, inner, onLost);
  return isText ? textOf(value) : value;
};

/** Turns a value into a string: a string stays a string, and any other value becomes JSON. */
const textOf = (value: JsonValue): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();

/** The user's map from names of the descriptors to names of the contract. */
export type MappedNames = ReadonlyMap<string, string>;

/** Reads the user's files that map gRPC names to contract names. @throws Error that says what is wrong with a file */
export const readNames = (files: readonly string[]): MappedNames =>
  new Map(
    files.flatMap((file) => {
      const read = readRegularFile(file);
      if ('problem' in read)
        throw new Error(`The names in ${file} cannot be used: the file ${read.problem}.`);
      const { names }: { names?: unknown } = parse(read.bytes.toString('utf8'), { logLevel: 'silent' }) ?? {};
      const entries = Object.entries(isJsonObject(names) ? names : {});
      const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === 'string';
      if (entries.length > 0 && entries.every(isText)) return entries;
      throw new Error(
        `${file} contains no names. Write "names:", and below it a line "NAME_IN_DESCRIPTORS: NAME_IN_CONTRACT" for each name.`,
      );
    }),
  );

export interface ValueNames {
  /** The contract's name for a value. Undefined for a value that means "none", such as `STATUS_UNSPECIFIED`. */
  toContract(name: string): string | undefined;
  /** The number that the descriptors give to an enum value of the contract; undefined if they do not have the value. */
  toDescriptor(value: string): number | undefined;
}

/** @param known the values of the contract; undefined if it accepts any string */
export const nameValues = (
  { values }: DescEnum,
  known: readonly string[] | undefined,
  given: MappedNames,
): ValueNames => {
  const prefix = sharedPrefix(values.map(({ name }) => name));
  const pairs = new Map<string, string>();
  const numbers = new Map<string, number>();
  const spelled = (value: string): string => (known ? value : value.toUpperCase());
  for (const { name, number } of values) {
    const plain = name.slice(prefix.length);
    const byHand = given.get(name) ?? given.get(plain);
    const found = known ? [byHand, name, plain].find((one) => known.includes(one ?? '')) : (byHand ?? plain);
    if (found === undefined || (!known && number === 0 && MEANS_NONE.test(name))) continue;
    pairs.set(name, found);
    numbers.set(spelled(found), number);
  }
  return { toContract: (name) => pairs.get(name), toDescriptor: (value) => numbers.get(spelled(value)) };
};

/** The prefix that all names share, up to an underscore. */
const sharedPrefix = ([first = '', ...names]: readonly string[]): string => {
  let end = first.lastIndexOf('_') + 1;
  while (end > 0 && !names.every((name) => name.startsWith(first.slice(0, end))))
    end = first.lastIndexOf('_', end - 2) + 1;
  return first.slice(0, end);
};

/** Names of enum values that mean "none". */
export const MEANS_NONE = /(^|_)(UNSPECIFIED|UNKNOWN)$/;
