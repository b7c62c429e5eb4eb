/** Finds the operation of the contract for each gRPC method, by the verb and path of its `google.api.http` annotation. */
import { type DescMethod, type FileRegistry, fromBinary, toJson } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { Contract, ContractOperation } from '../engine/contract/load.ts';
import { readDescriptors } from './descriptors.ts';
import { readNames } from './message-members.ts';
import { decodeFile, toRegistry } from './registry.ts';

/** An HTTP rule of a gRPC method: a verb and path in the method's `google.api.http` annotation. */
export interface HttpRule {
  /** The HTTP method in upper case. */
  readonly verb: string;
  /** The path as annotated: `/api/v1/items/{item_id}`. */
  readonly template: string;
  /** The field that is sent as the body; `*` for all fields that are not in the path; undefined for no body. */
  readonly body: string | undefined;
  /** The field that holds the body of the reply; undefined if the body is the whole message. */
  readonly responseBody: string | undefined;
  /** The fields for which `template` has placeholders: `item_id`, or `item.id` for a field of the message in `item`. */
  readonly variables: readonly string[];
  /** The operation of the contract with this verb and path, if it has one. */
  readonly operation: ContractOperation | undefined;
}

export interface BoundRule extends HttpRule {
  readonly operation: ContractOperation;
}

export interface BoundMethod {
  readonly method: DescMethod;
  /** The method's HTTP rules. Without an annotation: POST to the path that gRPC itself uses. */
  readonly annotated: readonly [HttpRule, ...HttpRule[]];
  /** The HTTP rules for which the contract has an operation. Empty for a streaming method. */
  readonly rules: readonly BoundRule[];
}

/** The name of a method as calls write it: `package.Service/Method`. */
export const nameOfMethod = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

/** @param paths descriptors, and files that map gRPC names to contract names @throws Error that says what is wrong */
export const readMethods = (paths: readonly string[], contract: Contract) => {
  const isNames = (path: string): boolean => /\.(ya?ml|json)$/i.test(path);
  const registry = readDescriptors(paths.filter((path) => !isNames(path)));
  return { registry, names: readNames(paths.filter(isNames)), methods: bindMethods(registry, contract) };
};

/** Every method of every service, in the order of the descriptors. */
export const bindMethods = (registry: FileRegistry, { operations }: Contract): readonly BoundMethod[] => {
  const formOf = (verb: string, path: string): string => `${verb.toUpperCase()} ${shapeOf(path)}`;
  const byForm = new Map(operations.map((one) => [formOf(one.method, one.path), one]));
  return Array.from(registry)
    .flatMap((type) => (type.kind === 'service' ? type.methods : []))
    .map((method) => {
      const toRule = (rule: AnnotatedRule): HttpRule => ({
        ...rule,
        variables: fieldsInTemplate(rule.template),
        operation: byForm.get(formOf(rule.verb, rule.template)),
      });
      const [main = ownRule(method), ...more] = readAnnotation(method);
      const annotated = [toRule(main), ...more.map(toRule)] as const;
      const isBound = (rule: HttpRule): rule is BoundRule => rule.operation !== undefined;
      return { method, annotated, rules: method.methodKind === 'unary' ? annotated.filter(isBound) : [] };
    });
};

/** A variable in a template: `{name}`, or `{name=pattern}`. */
export const VARIABLE = /\{([^{}=]+)(?:=([^{}]*))?\}/g;

/** A template without the names of its variables, for comparison. */
const shapeOf = (template: string): string =>
  template.replace(VARIABLE, (_variable, _name, pattern = '*') => pattern).replaceAll(/\*+/g, '{}');

export const fieldsInTemplate = (template: string): readonly string[] =>
  Array.from(template.matchAll(VARIABLE), ([, name = '']) => name);

/** Field number of the extension `google.api.http`. SDK packages often do not include the extension's descriptor. */
const ANNOTATION = 72_295_728;

/** The compiled `google/api/http.proto`, without custom verbs. */
const HTTP =
  'ChVnb29nbGUvYXBpL2h0dHAucHJvdG8SCmdvb2dsZS5hcGkiqQEKCEh0dHBSdWxlEgsKA2dldBgCIAEoCRILCgNwdXQYAyABKAkSDAoEcG9zdBgEIAEoCRIOCgZkZWxldGUYBSABKAkSDQoFcGF0Y2gYBiABKAkSDAoEYm9keRgHIAEoCRIxChNhZGRpdGlvbmFsX2JpbmRpbmdzGAsgAygLMhQuZ29vZ2xlLmFwaS5IdHRwUnVsZRIVCg1yZXNwb25zZV9ib2R5GAwgASgJYgZwcm90bzM=';
const RULE = toRegistry([decodeFile(HTTP)]).getMessage('google.api.HttpRule');

/** A `google.api.HttpRule` as JSON. */
interface RuleJson extends Partial<Record<(typeof VERBS)[number], string>> {
  readonly body?: string;
  readonly responseBody?: string;
  readonly additionalBindings?: readonly RuleJson[];
}

const VERBS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** The HTTP rules in a method's annotation: the main rule, then `additional_bindings`. Empty without an annotation. */
const readAnnotation = ({ proto }: DescMethod) =>
  (proto.options?.$unknown ?? [])
    .filter(({ no }) => no === ANNOTATION)
    .flatMap(({ data }) => {
      if (!RULE) return [];
      const rule = fromBinary(RULE, new BinaryReader(data).bytes());
      return readRules(toJson(RULE, rule) as RuleJson); // the cast is safe: `RULE` describes JSON of this type
    });

type AnnotatedRule = Pick<HttpRule, 'verb' | 'template' | 'body' | 'responseBody'>;

/** What a call without an annotation is as an HTTP request. */
const ownRule = (method: DescMethod): AnnotatedRule => ({
  verb: 'POST',
  template: `/${nameOfMethod(method)}`,
  body: '*',
  responseBody: undefined,
});

const readRules = (rule: RuleJson): readonly AnnotatedRule[] => {
  const { body, responseBody, additionalBindings = [] } = rule;
  const own = VERBS.flatMap((verb) => {
    const template = rule[verb];
    return template === undefined ? [] : [{ verb: verb.toUpperCase(), template, body, responseBody }];
  });
  return [...own, ...additionalBindings.flatMap(readRules)];
};
