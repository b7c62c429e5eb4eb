/** Which operation of the contract a method is: found by the verb and the path of its annotation. */
import type { DescMethod, FileRegistry } from '@bufbuild/protobuf';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { readDescriptors } from './descriptors.ts';
import { readNames } from './names.ts';
import { type HttpRule, readHttpRules } from './rules.ts';

/** One REST form of a method that the contract has. */
export interface BoundRule extends HttpRule {
  readonly operation: ContractOperation;
  /** Paths of the fields that its template names. */
  readonly variables: readonly string[];
}

export interface BoundMethod {
  readonly method: DescMethod;
  /** All REST forms. */
  readonly annotated: readonly HttpRule[];
  /** Those that the contract has; empty for a method that the mock cannot serve. */
  readonly rules: readonly BoundRule[];
}

/** `package.Service/Method`, as calls name it. */
export const nameOfMethod = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

/**
 * What there is at these paths, and which operations of the contract its methods are.
 * @param paths of descriptors; a YAML or JSON file is one of names
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
      const annotated = readHttpRules(method);
      const rules = annotated.flatMap((rule) => {
        const operation = byForm.get(`${rule.verb} ${shapeOf(rule.template)}`);
        return operation ? [{ ...rule, operation, variables: variablesOf(rule.template) }] : [];
      });
      return { method, annotated, rules: method.methodKind === 'unary' ? rules : [] };
    });
};

/** In a template: `{name}`, or `{name=pattern}`. */
export const VARIABLE = /\{([^{}=]+)(?:=([^{}]*))?\}/g;

/** A template without the names of its variables. */
const shapeOf = (template: string): string =>
  template.replace(VARIABLE, (_variable, _name, pattern = '*') => pattern).replaceAll(/\*+/g, '{}');

const variablesOf = (template: string): readonly string[] =>
  Array.from(template.matchAll(VARIABLE), ([, name = '']) => name);
