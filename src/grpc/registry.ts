/**
 * Makes one registry of descriptors from many places. Adds the parts that SDKs leave out: imports that generated code
 * does not list, files that are not shipped, JSON names. Drops extensions, since the mock does not use them.
 */

import { clone, create, createFileRegistry, type FileRegistry } from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import * as wellKnown from '@bufbuild/protobuf/wkt';
import {
  type DescriptorProto,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

/** Google's own types, from the library: SDKs often ship only some of them. */
const WELL_KNOWN: readonly FileDescriptorProto[] = Object.values(wellKnown).flatMap((value) =>
  typeof value === 'object' && 'kind' in value && value.kind === 'file'
    ? [clone(FileDescriptorProtoSchema, value.proto)]
    : [],
);

/** Makes the registry. @throws Error that says which descriptor cannot be used */
export const toRegistry = (found: readonly FileDescriptorProto[]): FileRegistry => {
  const byName = new Map([...found.map(withoutExtras), ...WELL_KNOWN].map((file) => [file.name, file]));
  const files = [...byName.values()];
  const homes = new Map(files.flatMap((file) => typesOf(file).map((type) => [type, file] as const)));
  for (const file of [...files]) {
    for (const [type, isEnum] of referencesOf(file)) {
      if (homes.has(type)) continue;
      const stub = stubOf(type, isEnum);
      homes.set(type, stub);
      files.push(stub);
    }
  }
  for (const file of files) {
    const dependencies = [...referencesOf(file).keys()].map((type) => homes.get(type)?.name ?? '');
    file.dependency = [...new Set(dependencies)].filter((name) => name !== file.name);
  }
  try {
    return createFileRegistry(create(FileDescriptorSetSchema, { file: inOrder(files) }));
  } catch (cause) {
    const { message } = cause as Error; // the library throws such errors
    throw new Error(`The descriptors of gRPC services cannot be used: ${message}.`, { cause });
  }
};

const withoutExtras = (file: FileDescriptorProto): FileDescriptorProto => {
  const restore = (message: DescriptorProto): void => {
    message.extension = [];
    for (const field of message.field) field.jsonName ||= protoCamelCase(field.name);
    message.nestedType.forEach(restore);
  };
  file.messageType.forEach(restore);
  return Object.assign(file, {
    extension: [],
    publicDependency: [],
    weakDependency: [],
    optionDependency: [],
  });
};

const qualified = (scope: string, name: string): string => (scope === '' ? name : `${scope}.${name}`);

/** Full names of all messages and enums of a file. */
const typesOf = (file: FileDescriptorProto): readonly string[] => {
  const within = (message: DescriptorProto, scope: string): readonly string[] => {
    const name = qualified(scope, message.name);
    return [
      name,
      ...message.enumType.map((one) => `${name}.${one.name}`),
      ...message.nestedType.flatMap((one) => within(one, name)),
    ];
  };
  return [
    ...file.enumType.map(({ name }) => qualified(file.package, name)),
    ...file.messageType.flatMap((message) => within(message, file.package)),
  ];
};

/** Full names of the types that a file uses, and whether each is an enum. */
const referencesOf = (file: FileDescriptorProto): ReadonlyMap<string, boolean> => {
  const used = new Map<string, boolean>();
  const add = (typeName: string, isEnum: boolean): void => {
    if (typeName !== '') used.set(typeName.replace(/^\./, ''), isEnum);
  };
  const visit = (message: DescriptorProto): void => {
    for (const { typeName, type } of message.field) add(typeName, type === FieldDescriptorProto_Type.ENUM);
    message.nestedType.forEach(visit);
  };
  file.messageType.forEach(visit);
  for (const { inputType, outputType } of file.service.flatMap(({ method }) => method)) {
    add(inputType, false);
    add(outputType, false);
  }
  return used;
};

/** A placeholder for a type whose file the SDK does not ship. It has no members, so its content is passed on unread. */
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

/** Sorts files so that each comes after its dependencies. */
const inOrder = (files: readonly FileDescriptorProto[]): FileDescriptorProto[] => {
  const byName = new Map(files.map((file) => [file.name, file]));
  const entered = new Set<FileDescriptorProto>();
  const enter = (file: FileDescriptorProto | undefined): FileDescriptorProto[] => {
    if (!file || entered.has(file)) return [];
    entered.add(file);
    return [...file.dependency.flatMap((name) => enter(byName.get(name))), file];
  };
  return files.flatMap(enter);
};
