/**
 * Writes replies of the API as messages. Straight from their JSON: to make the library's message first, and to write
 * that, takes several times as long, and the mock needs none.
 */
import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Registry,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import { BinaryWriter, base64Decode, WireType } from '@bufbuild/protobuf/wire';
import { isObject, type Member } from './members.ts';

/** @throws Error that names the field that a member does not fit */
export const encode = (body: JsonObject, members: readonly Member[], registry: Registry): Uint8Array => {
  const writer = new BinaryWriter();
  writeMembers(writer, body, members, registry);
  return writer.finish();
};

const writeMembers = (
  writer: BinaryWriter,
  body: JsonObject,
  members: readonly Member[],
  registry: Registry,
): void => {
  for (const member of members) {
    const value = body[member.name];
    if (value === undefined || value === null) continue;
    try {
      for (const one of Array.isArray(value) ? value : [value]) writeValue(writer, one, member, registry);
    } catch (cause) {
      throw new Error(`The member ${member.name} does not fit ${member.field.toString()}.`, { cause });
    }
  }
};

const writeValue = (writer: BinaryWriter, value: JsonValue, member: Member, registry: Registry): void => {
  const { field, values } = member;
  const { number } = field;
  if (field.fieldKind === 'map') writeEntries(writer, value, field, registry);
  else if (values) {
    const found = values.toDescriptor(String(value));
    if (found !== undefined) writer.tag(number, WireType.Varint).int32(found);
  } else if (field.message) {
    writer.tag(number, WireType.LengthDelimited).fork();
    const inner = member.members();
    if (inner) writeMembers(writer, isObject(value) ? value : {}, inner, registry);
    else writeKnown(writer, value, field.message, registry);
    writer.join();
  } else writeScalar(writer, number, field.scalar ?? ScalarType.STRING, value);
};

/** A free-form member may hold anything where a message has texts. */
const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

const writeScalar = (writer: BinaryWriter, number: number, type: ScalarType, value: JsonValue): void => {
  if (type === ScalarType.STRING) writer.tag(number, WireType.LengthDelimited).string(textOf(value));
  else if (type === ScalarType.BYTES)
    writer.tag(number, WireType.LengthDelimited).bytes(base64Decode(String(value)));
  else if (type === ScalarType.BOOL) writer.tag(number, WireType.Varint).bool(value === true);
  else {
    const [wireType, method] = NUMBERS[type];
    writer.tag(number, wireType)[method](Number(value));
  }
};

const NUMBERS = {
  [ScalarType.DOUBLE]: [WireType.Bit64, 'double'],
  [ScalarType.FLOAT]: [WireType.Bit32, 'float'],
  [ScalarType.INT64]: [WireType.Varint, 'int64'],
  [ScalarType.UINT64]: [WireType.Varint, 'uint64'],
  [ScalarType.INT32]: [WireType.Varint, 'int32'],
  [ScalarType.FIXED64]: [WireType.Bit64, 'fixed64'],
  [ScalarType.FIXED32]: [WireType.Bit32, 'fixed32'],
  [ScalarType.UINT32]: [WireType.Varint, 'uint32'],
  [ScalarType.SFIXED32]: [WireType.Bit32, 'sfixed32'],
  [ScalarType.SFIXED64]: [WireType.Bit64, 'sfixed64'],
  [ScalarType.SINT32]: [WireType.Varint, 'sint32'],
  [ScalarType.SINT64]: [WireType.Varint, 'sint64'],
} as const;

const writeEntries = (
  writer: BinaryWriter,
  value: JsonValue,
  field: DescField & { fieldKind: 'map' },
  registry: Registry,
): void => {
  for (const [key, one] of Object.entries(isObject(value) ? value : {})) {
    writer.tag(field.number, WireType.LengthDelimited).fork();
    writeScalar(writer, 1, field.mapKey, key);
    if (field.mapKind === 'scalar') writeScalar(writer, 2, field.scalar, one ?? '');
    else if (field.mapKind === 'message') {
      writer.tag(2, WireType.LengthDelimited).fork();
      writeKnown(writer, one ?? {}, field.message, registry);
      writer.join();
    }
    writer.join();
  }
};

/** Google's own messages, and those that the contract says nothing of. */
const writeKnown = (
  writer: BinaryWriter,
  value: JsonValue,
  message: DescMessage,
  registry: Registry,
): void => {
  if (message.typeName === 'google.protobuf.Timestamp') {
    const ms = Date.parse(String(value));
    if (Number.isNaN(ms)) throw new TypeError(`${value} is not a time.`);
    const seconds = Math.floor(ms / 1_000);
    writer.tag(1, WireType.Varint).int64(seconds);
    writer.tag(2, WireType.Varint).int32((ms - seconds * 1_000) * 1_000_000);
  } else writer.raw(toBinary(message, fromJson(message, value, { registry, ignoreUnknownFields: true })));
};
