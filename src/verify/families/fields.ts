/** Cases about single fields of a request: required fields, types, listed values, and spellings. */
import type { ContractOperation } from '../../openapi/load.ts';
import { type Case, reading, test } from '../case.ts';
import type { Call } from '../client.ts';
import { accepts, type Field, fieldsOf, keywordOf, nameOf, refuses, withValue } from '../fields.ts';
import { isCreating, sampleAnswer, sampleCases, sampleOf } from '../samples.ts';

/** Skips path parameters, since a call cannot leave them out. */
export const requiredMembers = (field: Field): readonly Case[] => {
  const { operationId, where, names, basis, isRequired } = field;
  if (!isRequired || where === 'path' || names.length > 1) return [];
  const orNull = where === 'body' ? ', or with null for it' : '';
  return reading(
    operationId,
    test(`${operationId} refuses a call without ${names[0]}${orNull}`, async (api) => {
      await refuses(api, field, undefined);
      if (where === 'body') await refuses(api, field, null);
    })[basis]('T5', 'R1'),
  );
};

/** A value of a wrong type. Undefined if the field accepts any text. */
const wrongValue = ({ where, type, names }: Field): unknown => {
  if (names.includes('KEY')) return undefined;
  if (where !== 'body') return { integer: 'ten', boolean: 'maybe' }[String(type)];
  return { string: { a: 1 }, array: 'text', object: 'text', boolean: 'maybe', integer: 'ten' }[String(type)];
};

export const types = (field: Field): readonly Case[] => {
  const { operationId, type } = field;
  const value = wrongValue(field);
  if (value === undefined) return [];
  const title = `${operationId} refuses ${nameOf(field)} if it is not of type ${type}`;
  return reading(operationId, test(title, (api) => refuses(api, field, value)).promised());
};

export const enums = (field: Field): readonly Case[] => {
  const { operationId, basis, rules } = field;
  const values = keywordOf(field, 'enum');
  if (!Array.isArray(values) || isCreating(operationId)) return [];
  return reading(
    operationId,
    test(`${operationId} accepts ${values.join(', ')} as ${nameOf(field)}, and refuses other values`, async (api) => {
      for (const value of values) await accepts(api, field, value);
      await refuses(api, field, 'CONFORMANCE');
    })[basis](...rules),
  );
};

const toCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** Sends a field by its camelCase name, as JSON-over-gRPC gateways do. */
export const spellings = (field: Field): readonly Case[] => {
  const { operationId, names } = field;
  const spelled = { ...field, names: names.map(toCamelCase) };
  const value = wrongValue(field);
  if (value === undefined || nameOf(spelled) === nameOf(field)) return [];
  const [first = ''] = names;
  return sampleCases(
    operationId,
    test(`${operationId} reads ${nameOf(spelled)} as ${nameOf(field)}`, (api) => {
      const sent = withValue(spelled, sampleOf(operationId, api), value);
      // The snake_case member is left out, because the service would refuse a call with both spellings.
      const call =
        first === spelled.names[0] ? sent : withValue({ ...field, names: [first] }, sent, undefined);
      return api.refuses(operationId, call, nameOf(field));
    }).inferred('T3'),
  );
};

/** Sends unknown names, and null for members, as Go without omitempty and Python with None do. */
export const tolerated = (operation: ContractOperation): readonly Case[] => {
  const { operationId } = operation;
  const fields = fieldsOf(operation);
  const members = fields.flatMap(({ where, names }) => (where === 'body' && names.length === 1 ? names : []));
  const ignores = (what: string, change: (call: Call) => Call) =>
    test(`${operationId} ${what}`, (api) =>
      api.call(operationId, change(sampleOf(operationId, api)), sampleAnswer(operationId)));
  const inQuery = ignores('ignores an unknown query parameter', (call) => ({
    ...call,
    query: { ...call.query, colour: 'blue' },
  }));
  const inBody = ignores('ignores an unknown member of the body', (call) => ({
    ...call,
    body: { ...Object(call.body), colour: 'blue' },
  }));
  const nulls = ignores('treats members of the body that are null as absent', (call) => ({
    ...call,
    body: { ...Object.fromEntries(members.map((name) => [name, null])), ...Object(call.body) },
  }));
  return sampleCases(
    operationId,
    ...(fields.some(({ where }) => where === 'query') ? [inQuery.inferred('T2')] : []),
    ...(members.length > 0 ? [inBody.inferred('T2'), nulls.inferred('T5')] : []),
  );
};
