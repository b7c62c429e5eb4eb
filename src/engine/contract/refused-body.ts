/** Tells whether the contract refuses each body that has certain members, as a stub for an operation must (behaviour X6). */
import { follow, isJsonObject, type JsonObject } from './document.ts';
import type { Contract, ContractOperation } from './load.ts';
import { bodyOf } from './members.ts';
import { FORMATS } from './words.ts';

/** @param part members that each of the bodies has */
export const refusesBody = (
  { document }: Contract,
  { definition }: ContractOperation,
  part: object | undefined,
): boolean => part !== undefined && refuses(document, bodyOf(document, definition)?.schema, part);

/** Whether a schema refuses each value that contains `part`. A member that may count as absent decides nothing (T5). */
const refuses = (document: object, given: unknown, part: unknown): boolean => {
  if (part === null || part === '') return false;
  const schema = follow(document, given);
  const { $ref, type, enum: listed, const: only, allOf, anyOf, oneOf } = schema;
  const inside = (form: unknown): boolean => refuses(document, form, part);
  return (
    (typeof $ref === 'string' && inside({ $ref })) ||
    (typeof type === 'string' && !isOfType(type, part)) ||
    (Array.isArray(listed) && !listed.some((one) => one === part)) ||
    (only !== undefined && only !== part) ||
    (Array.isArray(allOf) && allOf.some(inside)) ||
    [anyOf, oneOf].some((forms) => Array.isArray(forms) && forms.length > 0 && forms.every(inside)) ||
    isOutside(schema, part) ||
    partsIn(schema, part).some(([form, value]) => refuses(document, form, value))
  );
};

const isOfType = (type: string, value: unknown): boolean => {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return type === 'integer' ? Number.isInteger(value) : type === 'null' || typeof value === type;
};

/** Whether a text or number is outside the limits of a schema. */
const isOutside = (schema: JsonObject, value: unknown): boolean => {
  const { minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value === 'number') return value < Number(minimum) || value > Number(maximum);
  if (typeof value !== 'string') return false;
  const { pattern, format } = schema;
  const length = [...value].length;
  const check = Object.entries(FORMATS).find(([name]) => name === format)?.[1];
  const isOfFormat: unknown = check?.type === 'string' ? check.validate : undefined;
  return (
    length < Number(minLength) ||
    length > Number(maxLength) ||
    (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) ||
    (isOfFormat instanceof RegExp && !isOfFormat.test(value)) ||
    (typeof isOfFormat === 'function' && !isOfFormat(value))
  );
};

/** The members and items of a value, each with its schema. */
const partsIn = ({ items, properties, additionalProperties }: JsonObject, value: unknown) => {
  if (Array.isArray(value)) return value.map((item): [unknown, unknown] => [items, item]);
  const described = isJsonObject(properties) ? properties : {};
  return Object.entries(isJsonObject(value) ? value : {}).map(([name, member]): [unknown, unknown] => [
    Object.hasOwn(described, name) ? described[name] : additionalProperties,
    member,
  ]);
};
