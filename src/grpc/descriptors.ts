/** Reads the descriptors that an SDK ships, in any of several forms. Never runs code of the SDK. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DescMessage, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { readRegularFile } from '../engine/core/files.ts';
import { toRegistry } from './registry.ts';

/** Kinds of generated files that contain descriptors. `extract` takes the file with one character for each byte. */
const FORMS = [
  // Files of protoc-gen-es 2, as an ES module or CommonJS, contain `fileDesc("BASE64", [...])`.
  {
    files: /_pb\.[cm]?[jt]s$/,
    extract: (text: string) =>
      Array.from(text.matchAll(/fileDesc\)?\(\s*"([^"]+)"/g), ([, code = '']) => base64Decode(code)),
  },
  {
    files: /_pb2\.py$/,
    extract: (text: string) =>
      readLiterals(text, /(?:AddSerializedFile\(|serialized_pb\s*=\s*(?:_b\()?)\s*/g),
  },
];

/** @param paths of descriptor sets, generated files, or folders of these @throws Error that says what a path can be */
export const readDescriptors = (paths: readonly string[]): FileRegistry =>
  toRegistry(paths.flatMap(readPath));

const readPath = (path: string): readonly FileDescriptorProto[] => {
  const found = filesOf(path).flatMap(readFile);
  if (found.some(({ service }) => service.length > 0)) return found;
  throw new Error(
    `${path} contains no descriptors of gRPC services. Give a descriptor set (created by protoc --include_imports -o FILE, or buf build -o FILE), or a folder with generated files: *_pb.js of protoc-gen-es 2, or *_pb2.py.`,
  );
};

const formOf = (file: string) => FORMS.find(({ files }) => files.test(file));

/** The file itself, or the generated files below a folder, without `node_modules` and hidden folders. */
const filesOf = (path: string): readonly string[] => {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => formOf(name) && !/(^|[\\/])(node_modules|\.[^\\/]*)[\\/]/.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // the cast is safe: `statSync` and `readdirSync` throw errors with a code
    const message = `The descriptors at ${path} cannot be read (${code}). Give the path of an existing file or folder.`;
    throw new Error(message, { cause });
  }
};

const readFile = (file: string): readonly FileDescriptorProto[] => {
  const read = readRegularFile(file);
  if ('problem' in read)
    throw new Error(`The descriptors in ${file} cannot be used: the file ${read.problem}.`);
  const { bytes } = read;
  const form = formOf(file);
  if (!form) return tryDecode(FileDescriptorSetSchema, bytes)?.file ?? [];
  return form
    .extract(bytes.toString('latin1'))
    .flatMap((found) => tryDecode(FileDescriptorProtoSchema, found) ?? []);
};

const tryDecode = <Schema extends DescMessage>(schema: Schema, bytes: Uint8Array) => {
  try {
    return fromBinary(schema, bytes);
  } catch {
    return undefined;
  }
};

const LITERALS = /[\s+]*b?(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)')/gsy;

/** The bytes of the Python string literals that follow each match of `start`. */
const readLiterals = (text: string, start: RegExp): readonly Uint8Array[] =>
  Array.from(text.matchAll(start), ({ 0: { length }, index }) => {
    let literals = '';
    LITERALS.lastIndex = index + length;
    for (let part = LITERALS.exec(text); part; part = LITERALS.exec(text))
      literals += part[1] ?? part[2] ?? '';
    return unescaped(literals);
  });

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

const unescaped = (literals: string): Buffer => {
  const bytes = literals.replace(
    /\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.))/gs,
    (_all, hex?: string, octal?: string, other = '') => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return ESCAPES[other] ?? other;
    },
  );
  return Buffer.from(bytes, 'latin1');
};
