/** Cases about single fields of a request: required fields, types, listed values, and spellings. */
import type { ContractOperation } from '../../openapi/load.ts';
import { type Case, inferred, promised, reading, writing } from '../case.ts';
import type { Call } from '../client.ts';
import { type Field, fieldsOf, keywordOf, nameOf, withValue } from '../fields.ts';
import { isCreating, sampleAnswer, sampleOf } from '../samples.ts';

/** Skips path parameters, since a call cannot leave them out. */
export const requiredMembers = (operation: ContractOperation): readonly Case[] =>
  fieldsOf(operation)
    .filter(({ isRequired, where, names }) => isRequired && where !== 'path' && names.length === 1)
    .flatMap((field) => {
      const { operationId, where, names, basis } = field;
      const says = basis === 'promised' ? promised : inferred;
      return reading(
        operationId,
        says(
          `${operationId} refuses a call without ${names[0]}${where === 'body' ? ', or with null for it' : ''}`,
          ['T5', 'R1'],
          async (service) => {
            const without = withValue(field, sampleOf(operationId, service), undefined);
            await service.refuses(operationId, without, nameOf(field));
            if (where === 'body')
              await service.refuses(operationId, withValue(field, without, null), nameOf(field));
          },
        ),
      );
    });

/** A value of a wrong type. Undefined if the field accepts any text. */
const wrongValue = ({ where, type, names }: Field): unknown => {
  if (names.includes('KEY')) return undefined;
  if (where !== 'body') return { integer: 'ten', boolean: 'maybe' }[String(type)];
  return { string: { a: 1 }, array: 'text', object: 'text', boolean: 'maybe', integer: 'ten' }[String(type)];
};

export const types = (operation: ContractOperation): readonly Case[] =>
  fieldsOf(operation).flatMap((field) => {
    const { operationId, type } = field;
    const value = wrongValue(field);
    if (value === undefined) return [];
    return reading(
      operationId,
      promised(`${operationId} refuses ${nameOf(field)} if it is not of type ${type}`, [], (service) =>
        service.refuses(operationId, withValue(field, sampleOf(operationId, service), value), nameOf(field)),
      ),
    );
  });

export const enums = (operation: ContractOperation): readonly Case[] =>
  fieldsOf(operation).flatMap((field) => {
    const { operationId, basis, rules } = field;
    const values = keywordOf(field, 'enum');
    if (!Array.isArray(values) || isCreating(operationId)) return [];
    const says = basis === 'promised' ? promised : inferred;
    return reading(
      operationId,
      says(
        `${operationId} accepts ${values.join(', ')} as ${nameOf(field)}, and refuses other values`,
        rules,
        async (service) => {
          const sample = sampleOf(operationId, service);
          for (const value of values)
            await service.call(operationId, withValue(field, sample, value), sampleAnswer(operationId));
          await service.refuses(operationId, withValue(field, sample, 'CONFORMANCE'), nameOf(field));
        },
      ),
    );
  });

const toCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/**
 * Requests in the forms that some clients send: camelCase names (JSON-over-gRPC gateways), and null members (Go without
 * omitempty, Python with None).
 */
export const spellings = (operation: ContractOperation): readonly Case[] => {
  const { operationId } = operation;
  const fields = fieldsOf(operation);
  const claims = [
    ...fields
      .filter((field) => field.names.some((name) => name !== toCamelCase(name)))
      .flatMap((field) => {
        const value = wrongValue(field);
        if (value === undefined) return [];
        const spelled = { ...field, names: field.names.map(toCamelCase) };
        return inferred(`${operationId} reads ${nameOf(spelled)} as ${nameOf(field)}`, ['T3'], (service) =>
          service.refuses(
            operationId,
            withoutOther(field, withValue(spelled, sampleOf(operationId, service), value)),
            nameOf(field),
          ),
        );
      }),
    ...tolerated(operation, fields),
  ];
  return isCreating(operationId) ? writing(operationId, ...claims) : reading(operationId, ...claims);
};

/** Removes the snake_case member: the service would refuse a call with both spellings. */
const withoutOther = (field: Field, call: Call): Call => {
  const [first = ''] = field.names;
  return first === toCamelCase(first) ? call : withValue({ ...field, names: [first] }, call, undefined);
};

const tolerated = ({ operationId }: ContractOperation, fields: readonly Field[]) => {
  const optional = fields.filter(({ where, names }) => where === 'body' && names.length === 1);
  const accepts = (words: string, rules: readonly ['T2'] | readonly ['T5'], change: (call: Call) => Call) =>
    inferred(`${operationId} ${words}`, rules, (service) =>
      service.call(operationId, change(sampleOf(operationId, service)), sampleAnswer(operationId)),
    );
  return [
    ...(fields.some(({ where }) => where === 'query')
      ? [
          accepts('ignores an unknown query parameter', ['T2'], (call) => ({
            ...call,
            query: { ...call.query, colour: 'blue' },
          })),
        ]
      : []),
    ...(optional.length > 0
      ? [
          accepts('ignores an unknown member of the body', ['T2'], (call) => ({
            ...call,
            body: { ...Object(call.body), colour: 'blue' },
          })),
          accepts('treats members of the body that are null as absent', ['T5'], (call) => ({
            ...call,
            body: {
              ...Object.fromEntries(optional.map(({ names }) => [names[0], null])),
              ...Object(call.body),
            },
          })),
        ]
      : []),
  ];
};
