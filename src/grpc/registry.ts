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
  const files = [...byName.values()];
  const homes = new Map(files.flatMap((file) => typesOf(file).map((type) => [type, file.name] as const)));
  for (const file of files) {
    const used = referencesOf(file);
    for (const [type, isEnum] of used) {
      if (homes.has(type)) continue;
      const stub = stubOf(type, isEnum);
      homes.set(type, stub.name);
      byName.set(stub.name, stub);
    }
    repair(
      file,
      [...used.keys()].map((type) => homes.get(type) ?? ''),
    );
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

const repair = (file: FileDescriptorProto, imports: readonly string[]): void => {
  for (const [, message] of messagesOf(file)) {
    message.extension = [];
    for (const field of message.field) field.jsonName ||= protoCamelCase(field.name);
  }
  Object.assign(file, { extension: [], publicDependency: [], weakDependency: [], optionDependency: [] });
  file.dependency = [...new Set(imports)].filter((name) => name !== file.name);
};

const qualified = (scope: string, name: string): string => (scope === '' ? name : `${scope}.${name}`);

type Named = readonly [name: string, message: DescriptorProto];

/** All messages of a file with their full names; a message comes before the messages within it. */
const messagesOf = ({ messageType, package: scope }: FileDescriptorProto): readonly Named[] =>
  messageType.flatMap((message) => withNested(scope, message));

const withNested = (scope: string, message: DescriptorProto): readonly Named[] => {
  const name = qualified(scope, message.name);
  return [[name, message], ...message.nestedType.flatMap((inner) => withNested(name, inner))];
};

/** Full names of all messages and enums of a file. */
const typesOf = (file: FileDescriptorProto): readonly string[] => [
  ...file.enumType.map(({ name }) => qualified(file.package, name)),
  ...messagesOf(file).flatMap(([name, { enumType }]) => [
    name,
    ...enumType.map((one) => `${name}.${one.name}`),
  ]),
];

/** Full names of the types that a file uses, and whether each is an enum. */
const referencesOf = (file: FileDescriptorProto): ReadonlyMap<string, boolean> => {
  const fields = messagesOf(file).flatMap(([, { field }]) => field);
  const methods = file.service.flatMap(({ method }) => method);
  const used = [
    ...fields.map(({ typeName, type }) => [typeName, type === FieldDescriptorProto_Type.ENUM] as const),
    ...methods.flatMap((one) => [one.inputType, one.outputType].map((name) => [name, false] as const)),
  ];
  return new Map(used.flatMap(([name, isEnum]) => (name === '' ? [] : [[name.replace(/^\./, ''), isEnum]])));
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
