/** JSON of messages as the contract spells it, and back: names of members, values of enums, numbers of 64 bits. */
import {
  type DescField,
  type DescMessage,
  type DescOneof,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from '@bufbuild/protobuf';
import { isJsonObject, type JsonObject as Schema } from '../openapi/document.ts';
import type { Contract } from '../openapi/load.ts';
import { type Members, membersOf } from '../openapi/members.ts';
import { type GivenNames, nameValues, type ValueNames } from './names.ts';

/** What decides the meaning of a name: the contract, and a user's file of names. */
export interface Vocabulary {
  readonly contract: Pick<Contract, 'document'>;
  readonly names: GivenNames;
}

/** One field of a message, and the member that the contract has for it. */
export interface BoundMember {
  readonly field: DescField;
  /** In the contract. */
  readonly name: string;
  /** The contract has no such member, though it lists the members of the message. */
  readonly isUnmapped: boolean;
  /** Of an enum. */
  readonly values: ValueNames | undefined;
  readonly isNumber: boolean;
  /** Members of the message that the field holds; undefined for other fields, and for Google's own messages. */
  members(): readonly BoundMember[] | undefined;
}

/** @param schema of the message in the contract; undefined if it has none */
export const pairMembers = (
  message: DescMessage,
  schema: Schema | undefined,
  vocabulary: Vocabulary,
): readonly BoundMember[] => {
  const { contract, names: given } = vocabulary;
  const { properties: known, isOpen } = schema ? membersOf(contract.document, schema) : NOTHING;
  return message.fields.map((field) => {
    const candidates = [given.get(field.name), field.name, field.jsonName];
    const name = candidates.find((one) => one !== undefined && known.has(one)) ?? field.name;
    const isUnmapped = !known.has(name) && !isOpen;
    return { ...toMember(field, name, known.get(name), vocabulary), isUnmapped };
  });
};

/** @param schema undefined for a field that the contract does not have, which keeps its own names */
const toMember = (
  field: DescField,
  name: string,
  schema: Schema | undefined,
  vocabulary: Vocabulary,
): Omit<BoundMember, 'isUnmapped'> => {
  const { document } = vocabulary.contract;
  const inner = innerOf(field);
  const item = schema && (membersOf(document, schema).items ?? schema);
  const { forms, type } = item ? membersOf(document, item) : NOTHING;
  const values = forms.flatMap((form) => (Array.isArray(form.enum) ? form.enum.map(String) : []));
  let members: readonly BoundMember[] | undefined;
  return {
    field,
    name,
    values: field.enum && nameValues(field.enum, values.length > 0 ? values : undefined, vocabulary.names),
    isNumber: [type].flat().some((one) => one === 'integer' || one === 'number'),
    members: () => {
      if (inner) members ??= pairMembers(inner, item, vocabulary); // when first needed: messages may hold themselves
      return members;
    },
  };
};

/** What the contract says of a message that it does not have. */
const NOTHING: Pick<Members, 'forms' | 'type' | 'properties' | 'isOpen'> = {
  forms: [],
  type: undefined,
  properties: new Map(),
  isOpen: true,
};

/** The message that a field holds, one or many; Google's own have JSON of their own kinds. */
const innerOf = (field: DescField): DescMessage | undefined =>
  field.fieldKind !== 'map' && field.message && !field.message.typeName.startsWith('google.protobuf.')
    ? field.message
    : undefined;

/** @param fields of a message, as its JSON with the names of the descriptors */
export const toContract = (fields: JsonObject, members: readonly BoundMember[]): JsonObject => {
  const sent: JsonObject = {};
  for (const member of members) {
    const value = fields[member.field.name];
    const converted = value === undefined ? undefined : toValue(value, member);
    if (converted !== undefined) sent[member.name] = converted;
  }
  return sent;
};

const toValue = (value: JsonValue, member: BoundMember): JsonValue | undefined => {
  if (Array.isArray(value))
    return value.map((one) => toValue(one, member)).filter((one): one is JsonValue => one !== undefined);
  if (typeof value === 'string' && member.values) return member.values.toContract(value);
  // Numbers of 64 bits are texts in the JSON of messages.
  if (typeof value === 'string') return member.isNumber ? Number(value) : value;
  const inner = isJsonObject(value) ? member.members() : undefined;
  return inner && isJsonObject(value) ? toContract(value, inner) : value;
};

/** The other way. Members for which the message has no field are left out. */
export const fromContract = (body: JsonObject, members: readonly BoundMember[]): JsonObject => {
  const fields: JsonObject = {};
  const chosen = new Set<DescOneof>();
  for (const member of members) {
    const { field, name } = member;
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (field.oneof && chosen.has(field.oneof)) continue; // a message has one of them, and a reply may have more
    if (field.oneof) chosen.add(field.oneof);
    const each = (): JsonValue[] => [value].flat().map((one) => toField(one, member));
    fields[field.name] =
      field.fieldKind === 'list' ? each().filter((one) => one !== null) : toField(value, member);
  }
  return fields;
};

/** @returns null for a value that the enum of the field does not have */
const toField = (value: JsonValue, member: BoundMember): JsonValue => {
  const { field, values } = member;
  const isText = field.scalar === ScalarType.STRING;
  if (field.fieldKind === 'map') {
    const entries = Object.entries(isJsonObject(value) ? value : {});
    return Object.fromEntries(entries.map(([key, one]) => [textOf(key), isText ? textOf(one) : one]));
  }
  if (values) return values.toDescriptor(String(value)) ?? null;
  const inner = member.members();
  if (inner) return fromContract(isJsonObject(value) ? value : {}, inner);
  return isText ? textOf(value) : value;
};

/** A free-form member may hold anything where a message has texts. */
const textOf = (value: JsonValue): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
