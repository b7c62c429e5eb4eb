/** What holds for single fields of a request: required ones, their types, listed values, and spellings. */
import type { ContractOperation } from '../../openapi/load.ts';
import { type Case, inferred, promised, reading, writing } from '../case.ts';
import type { Call } from '../client.ts';
import { type Field, fieldsOf, keywordOf, nameOf, withValue } from '../fields.ts';
import { isCreating, sampleAnswer, sampleOf } from '../samples.ts';

/** Path segments are never missing. */
export const requiredMembers = (operation: ContractOperation): readonly Case[] =>
  fieldsOf(operation)
    .filter(({ isRequired, where, names }) => isRequired && where !== 'path' && names.length === 1)
    .flatMap((field) => {
      const { operationId, where, names, basis } = field;
      const says = basis === 'promised' ? promised : inferred;
      return reading(
        operationId,
        says(
          `${operationId}: ${names[0]} is required, and null is missing`,
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

/** A value of another type; undefined where any text may stand. */
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
      promised(`${operationId}: ${nameOf(field)} must be of type ${type}`, [], (service) =>
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
      says(`${operationId}: ${nameOf(field)} takes ${values.join(', ')}`, rules, async (service) => {
        const sample = sampleOf(operationId, service);
        for (const value of values)
          await service.call(operationId, withValue(field, sample, value), sampleAnswer(operationId));
        await service.refuses(operationId, withValue(field, sample, 'CONFORMANCE'), nameOf(field));
      }),
    );
  });

const toCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** As JSON-over-gRPC gateways, Go without omitempty and Python with None send requests. */
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
        return inferred(`${operationId}: ${nameOf(spelled)} is read as ${nameOf(field)}`, ['T3'], (service) =>
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

/** Both spellings at once would be refused for that. */
const withoutOther = (field: Field, call: Call): Call => {
  const [first = ''] = field.names;
  return first === toCamelCase(first) ? call : withValue({ ...field, names: [first] }, call, undefined);
};

const tolerated = ({ operationId }: ContractOperation, fields: readonly Field[]) => {
  const optional = fields.filter(({ where, names }) => where === 'body' && names.length === 1);
  const accepts = (words: string, rules: readonly ['T2'] | readonly ['T5'], change: (call: Call) => Call) =>
    inferred(`${operationId}: ${words}`, rules, (service) =>
      service.call(operationId, change(sampleOf(operationId, service)), sampleAnswer(operationId)),
    );
  return [
    ...(fields.some(({ where }) => where === 'query')
      ? [
          accepts('an unknown query parameter is ignored', ['T2'], (call) => ({
            ...call,
            query: { ...call.query, colour: 'blue' },
          })),
        ]
      : []),
    ...(optional.length > 0
      ? [
          accepts('an unknown member is ignored', ['T2'], (call) => ({
            ...call,
            body: { ...Object(call.body), colour: 'blue' },
          })),
          accepts('members that are null count as absent', ['T5'], (call) => ({
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
