/** JSON of messages as the contract spells it, and back: names of members, values of enums, numbers of 64 bits. */
import type { DescField, DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type GivenNames, nameValues, pairNames, type ValueNames } from './names.ts';
import { isNumber, itemOf, membersOf, type Place, valuesOf } from './schema.ts';

/** One member of a message that the contract knows. */
interface Member {
  readonly field: DescField;
  /** In the contract. */
  readonly name: string;
  readonly values: ValueNames | undefined;
  readonly isNumber: boolean;
  readonly inner: Spelling | undefined;
}

/** How the contract spells a message. */
export interface Spelling {
  /** @param message as its JSON with the names of the descriptors */
  toContract(message: JsonObject): JsonObject;
  toDescriptor(value: JsonObject): JsonObject;
}

/** @param place the schema that the message is held against; undefined if the contract says nothing of it */
export const spell = (message: DescMessage, place: Place | undefined, given: GivenNames): Spelling => {
  const members = place ? pairMembers(message, membersOf(place), given) : [];
  const byField = new Map(members.map((member) => [member.field.name, member]));
  const byName = new Map(members.map((member) => [member.name, member]));
  const translate = (
    from: JsonObject,
    find: (name: string) => readonly [string, (value: JsonValue) => JsonValue | undefined],
  ): JsonObject => {
    const to: JsonObject = {};
    for (const name of Object.keys(from)) {
      const [other, convert] = find(name);
      const value = from[name];
      const converted = value === undefined ? undefined : each(value, convert);
      if (converted !== undefined) to[other] = converted;
    }
    return to;
  };
  return {
    toContract: (json) =>
      translate(json, (name) => {
        const member = byField.get(name);
        return member ? [member.name, (value) => toContract(member, value)] : [name, itself];
      }),
    toDescriptor: (json) =>
      translate(json, (name) => {
        const member = byName.get(name);
        return member ? [member.field.name, (value) => toDescriptor(member, value)] : [name, itself];
      }),
  };
};

const itself = (value: JsonValue): JsonValue => value;

const each = (value: JsonValue, convert: (one: JsonValue) => JsonValue | undefined): JsonValue | undefined =>
  Array.isArray(value)
    ? value.map(convert).filter((one): one is JsonValue => one !== undefined)
    : convert(value);

const toContract = ({ values, isNumber, inner }: Member, value: JsonValue): JsonValue | undefined => {
  if (values && typeof value === 'string') return values.toContract(value);
  if (inner && isObject(value)) return inner.toContract(value);
  // Numbers of 64 bits are texts in the JSON of messages.
  return isNumber && typeof value === 'string' ? Number(value) : value;
};

const toDescriptor = ({ values, field, inner }: Member, value: JsonValue): JsonValue | undefined => {
  if (values && typeof value === 'string') return values.toDescriptor(value);
  if (inner && isObject(value)) return inner.toDescriptor(value);
  if (field.fieldKind === 'map')
    return isObject(value) && field.mapKind === 'scalar' ? texts(field, value) : value;
  return value;
};

/** Free-form members may be anything in the contract, where a message has a map of texts. */
const texts = (field: DescField, value: JsonObject): JsonObject =>
  field.scalar === STRING
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          typeof one === 'string' ? one : JSON.stringify(one),
        ]),
      )
    : value;

const STRING = 9; // ScalarType.STRING

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pairMembers = (
  message: DescMessage,
  known: ReadonlyMap<string, Place>,
  given: GivenNames,
): readonly Member[] => {
  const pairs = new Map<string, string>();
  for (const { name, jsonName } of message.fields) {
    const found = [given.get(name), name, jsonName].find((one) => one !== undefined && known.has(one));
    if (found !== undefined) pairs.set(name, found);
  }
  // The names of plain fields say what they mean: only those of messages may differ by a vendor's name.
  const vendors = message.fields.filter((field) => innerOf(field) && !pairs.has(field.name));
  const free = [...known.keys()].filter((name) => ![...pairs.values()].includes(name));
  for (const [field, name] of pairNames(
    vendors.map(({ name }) => name),
    free,
    given,
  ))
    pairs.set(field, name);
  return message.fields.flatMap((field) => {
    const name = pairs.get(field.name);
    const place = name === undefined ? undefined : known.get(name);
    return name !== undefined && place ? [toMember(field, name, itemOf(place), given)] : [];
  });
};

const toMember = (field: DescField, name: string, place: Place, given: GivenNames): Member => {
  const inner = innerOf(field);
  const descriptor = 'enum' in field && field.fieldKind !== 'map' ? field.enum : undefined;
  let spelling: Spelling | undefined;
  return {
    field,
    name,
    values: descriptor && nameValues(descriptor, valuesOf(place), given),
    isNumber: isNumber(place),
    get inner() {
      if (inner) spelling ??= spell(inner, place, given); // when first needed: messages may hold themselves
      return spelling;
    },
  };
};

/** The message that a field holds, one or many; Google's own are written as JSON in ways of their own. */
const innerOf = (field: DescField): DescMessage | undefined =>
  field.fieldKind !== 'map' && field.message && !field.message.typeName.startsWith('google.protobuf.')
    ? field.message
    : undefined;
