/** Builds a registry. Adds what SDKs leave out: imports, files, JSON names. Drops extensions, which the mock does not use. */
import { clone, create, createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import { base64Decode } from '@bufbuild/protobuf/wire';
import * as wellKnown from '@bufbuild/protobuf/wkt';
import {
  type DescriptorProto,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

/** The files that describe Google's well-known types, from the protobuf library: SDKs often ship only some of them. */
const WELL_KNOWN: readonly FileDescriptorProto[] = Object.values(wellKnown).flatMap((value) =>
  typeof value === 'object' && 'kind' in value && value.kind === 'file'
    ? [clone(FileDescriptorProtoSchema, value.proto)]
    : [],
);

/** Builds the registry. @throws Error that says which descriptor cannot be used */
export const toRegistry = (found: readonly FileDescriptorProto[]): FileRegistry => {
  const byName = new Map([...found, ...WELL_KNOWN].map((file) => [file.name, file]));
  const files = Array.from(byName.values(), (file) => ({ file, ...readTypes(file) }));
  const homes = new Map(files.flatMap(({ file, own }) => own.map((type) => [type, file.name] as const)));
  for (const { file, used } of files) {
    for (const [type, isEnum] of used) {
      if (homes.has(type)) continue;
      const stub = stubOf(type, isEnum);
      homes.set(type, stub.name);
      byName.set(stub.name, stub);
    }
    const imports = new Set(Array.from(used.keys(), (type) => homes.get(type) ?? ''));
    file.dependency = [...imports].filter((name) => name !== file.name);
    Object.assign(file, { extension: [], publicDependency: [], weakDependency: [], optionDependency: [] });
  }
  try {
    return createFileRegistry(create(FileDescriptorSetSchema, { file: inOrder(byName) }));
  } catch (cause) {
    const { message } = cause as Error; // the cast is safe: `createFileRegistry` throws instances of `Error`
    throw new Error(`The descriptors of gRPC services cannot be used: ${message}.`, { cause });
  }
};

export const decodeFile = (compiled: string): FileDescriptorProto =>
  fromBinary(FileDescriptorProtoSchema, base64Decode(compiled));

/** Full names of the types that a file has and of those that it uses, with whether each is an enum. Repairs its messages. */
const readTypes = ({ package: scope, messageType, enumType, service }: FileDescriptorProto) => {
  const own: string[] = [];
  const used = new Map<string, boolean>();
  const use = (name: string, isEnum: boolean): void => {
    if (name !== '') used.set(name.replace(/^\./, ''), isEnum);
  };
  const visit = (prefix: string, message: DescriptorProto): void => {
    const name = prefix + message.name;
    own.push(name, ...message.enumType.map((one) => `${name}.${one.name}`));
    message.extension = [];
    for (const field of message.field) {
      field.jsonName ||= protoCamelCase(field.name);
      use(field.typeName, field.type === FieldDescriptorProto_Type.ENUM);
    }
    for (const inner of message.nestedType) visit(`${name}.`, inner);
  };
  const prefix = scope === '' ? '' : `${scope}.`;
  own.push(...enumType.map(({ name }) => prefix + name));
  for (const message of messageType) visit(prefix, message);
  for (const { inputType, outputType } of service.flatMap(({ method }) => method))
    for (const name of [inputType, outputType]) use(name, false);
  return { own, used };
};

/** An empty placeholder for a message or enum whose file the SDK does not ship. */
const stubOf = (type: string, isEnum: boolean): FileDescriptorProto => {
  const end = type.lastIndexOf('.');
  const name = type.slice(end + 1);
  return create(FileDescriptorProtoSchema, {
    name: `missing/${type}.proto`,
    package: type.slice(0, Math.max(end, 0)),
    syntax: 'proto3',
    ...(isEnum
      ? { enumType: [{ name, value: [{ name: `${name}_UNSPECIFIED`, number: 0 }] }] }
      : { messageType: [{ name }] }),
  });
};

/** Sorts files so that each comes after its imports. */
const inOrder = (byName: ReadonlyMap<string, FileDescriptorProto>): FileDescriptorProto[] => {
  const sorted = new Set<FileDescriptorProto>();
  const add = (name: string): void => {
    const file = byName.get(name);
    if (!file || sorted.has(file)) return;
    file.dependency.forEach(add);
    sorted.add(file);
  };
  [...byName.keys()].forEach(add);
  return [...sorted];
};
