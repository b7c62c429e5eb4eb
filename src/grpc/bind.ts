/**
 * Finds the operation of the contract for each gRPC method, by the verb and path of its `google.api.http` annotation.
 */
import { type DescMethod, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { readDescriptors } from './descriptors.ts';
import { readNames } from './names.ts';

/** One REST form of a gRPC method. */
export interface HttpRule {
  /** The HTTP method in upper case. */
  readonly verb: string;
  /** The path as annotated: `/api/v1/items/{item_id}`. */
  readonly template: string;
  /** The field sent as the body; `*` for all fields that the path does not name; undefined for no body. */
  readonly body: string | undefined;
  /** The field that receives the body of the reply; undefined if the whole message receives it. */
  readonly responseBody: string | undefined;
  /** Paths of the fields that `template` names. */
  readonly variables: readonly string[];
  /** The operation of the contract with this verb and path, if it has one. */
  readonly operation: ContractOperation | undefined;
}

export interface BoundRule extends HttpRule {
  readonly operation: ContractOperation;
}

export interface BoundMethod {
  readonly method: DescMethod;
  /** All REST forms. */
  readonly annotated: readonly HttpRule[];
  /** The REST forms that the contract has; empty for a method that only stubs can answer. */
  readonly rules: readonly BoundRule[];
}

/** The name of a method in calls: `package.Service/Method`. */
export const nameOfMethod = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

/**
 * Reads descriptors and files of names, and binds the methods to operations of the contract.
 * @param paths of descriptors, and of files of names (YAML or JSON)
 * @throws Error that names the path and what is wrong with it
 */
export const readMethods = (paths: readonly string[], contract: Contract) => {
  const isNames = (path: string): boolean => /\.(ya?ml|json)$/i.test(path);
  const registry = readDescriptors(paths.filter((path) => !isNames(path)));
  return { registry, names: readNames(paths.filter(isNames)), methods: bindMethods(registry, contract) };
};

/** Every method of every service, in the order of the descriptors. */
export const bindMethods = (registry: FileRegistry, { operations }: Contract): readonly BoundMethod[] => {
  const byForm = new Map(
    operations.map((operation) => [
      `${operation.method.toUpperCase()} ${shapeOf(operation.path)}`,
      operation,
    ]),
  );
  return Array.from(registry)
    .flatMap((type) => (type.kind === 'service' ? type.methods : []))
    .map((method) => {
      const annotated = readAnnotation(method).map((rule) => ({
        ...rule,
        variables: variablesOf(rule.template),
        operation: byForm.get(`${rule.verb} ${shapeOf(rule.template)}`),
      }));
      const isBound = (rule: HttpRule): rule is BoundRule => rule.operation !== undefined;
      return { method, annotated, rules: method.methodKind === 'unary' ? annotated.filter(isBound) : [] };
    });
};

/** A variable in a template: `{name}`, or `{name=pattern}`. */
export const VARIABLE = /\{([^{}=]+)(?:=([^{}]*))?\}/g;

/** A template without the names of its variables, for comparing. */
const shapeOf = (template: string): string =>
  template.replace(VARIABLE, (_variable, _name, pattern = '*') => pattern).replaceAll(/\*+/g, '{}');

export const variablesOf = (template: string): readonly string[] =>
  Array.from(template.matchAll(VARIABLE), ([, name = '']) => name);

/** Field number of the extension `google.api.http`. SDK packages often leave out its descriptor. */
const ANNOTATION = 72_295_728;

type AnnotatedRule = Omit<HttpRule, 'variables' | 'operation'>;

/**
 * The rules that the annotation of a method holds: the main rule, then the additional bindings. Empty without the
 * annotation.
 */
const readAnnotation = ({ proto }: DescMethod): readonly AnnotatedRule[] =>
  (proto.options?.$unknown ?? [])
    .filter(({ no }) => no === ANNOTATION)
    .flatMap(({ data }) => readRules(new BinaryReader(data).bytes()));

const VERBS: Readonly<Record<number, string>> = { 2: 'GET', 3: 'PUT', 4: 'POST', 5: 'DELETE', 6: 'PATCH' };

/** Reads a `google.api.HttpRule`, whose fields come in any order. */
const readRules = (bytes: Uint8Array): readonly AnnotatedRule[] => {
  const fields = fieldsOf(bytes);
  const parts = { body: textOf(fields, 7), responseBody: textOf(fields, 12) };
  const own = fields.flatMap(({ no, value }) => {
    const custom = no === 8 ? fieldsOf(value) : undefined;
    const verb = custom ? textOf(custom, 1) : VERBS[no];
    const template = custom ? textOf(custom, 2) : String(value);
    return verb === undefined || template === undefined ? [] : [{ verb, template, ...parts }];
  });
  const additional = fields.filter(({ no }) => no === 11);
  return [...own, ...additional.flatMap(({ value }) => readRules(value))];
};

type WireFields = readonly { readonly no: number; readonly value: Buffer }[];

/** The text and message fields of a message, read without its descriptor. */
const fieldsOf = (bytes: Uint8Array): WireFields =>
  (fromBinary(EmptySchema, bytes).$unknown ?? [])
    .filter(({ wireType }) => wireType === WireType.LengthDelimited)
    .map(({ no, data }) => ({ no, value: Buffer.from(new BinaryReader(data).bytes()) }));

const textOf = (fields: WireFields, wanted: number): string | undefined =>
  fields.find(({ no }) => no === wanted)?.value.toString();
