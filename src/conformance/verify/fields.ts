/** Lists the parameters and body members of an operation, as the contract describes them. */
import { isJsonObject, type JsonObject } from '../../engine/contract/document.ts';
import { type ContractOperation, loadContract } from '../../engine/contract/load.ts';
import { bodyOf, ITEMS, membersOf, placeOf } from '../../engine/contract/members.ts';
import type { OperationId } from '../../service/contract.ts';
import type { Api } from './api.ts';
import type { RuleNumber } from './case.ts';
import type { Call } from './client.ts';
import type { Basis } from './reply-check.ts';
import { sampleAnswer, sampleOf } from './samples.ts';
import type { Expected } from './service.ts';

export interface Field {
  readonly operationId: OperationId;
  readonly where: 'path' | 'query' | 'body';
  /** The names that lead to the field. `[]`: a list's item; `KEY`, `VALUE`: name and value of a free-form member. */
  readonly names: readonly string[];
  readonly type: unknown;
  /** The schema of the field, and the schemas that it is composed of. */
  readonly forms: readonly JsonObject[];
  readonly isRequired: boolean;
  readonly basis: Basis;
  readonly rules: readonly RuleNumber[];
}

export const fieldsOf = ({
  operationId,
  parameters,
  definition,
}: ContractOperation<OperationId>): readonly Field[] => {
  const inParameters = parameters.flatMap(
    ({ in: where, name, schema, required: isRequired = false, ...rest }) => {
      if ((where !== 'path' && where !== 'query') || !schema) return [];
      return within({ operationId, where, names: [name], isRequired, ...reasonIn([rest]) }, schema);
    },
  );
  const body = bodyOf(document, definition);
  if (body?.kind !== 'application/json') return inParameters;
  const whole = { operationId, where: 'body', names: [], isRequired: true, ...PROMISED } as const;
  return [...inParameters, ...within(whole, body.schema).slice(1)];
};

const { document } = loadContract<OperationId>();

const within = (outer: Omit<Field, 'type' | 'forms'>, schema: JsonObject): readonly Field[] => {
  const { forms, type } = membersOf(document, schema);
  const place = placeOf(document, schema);
  const inside = (name: string, member: unknown, isRequired: boolean): readonly Field[] =>
    isJsonObject(member)
      ? within({ ...outer, ...PROMISED, names: [...outer.names, name], isRequired }, member)
      : [];
  const own = outer.basis === 'inferred' ? outer : { ...outer, ...reasonIn(forms) };
  return [
    { ...own, forms, type },
    ...forms.flatMap((form) => [
      ...inside('KEY', form.propertyNames, true),
      ...inside('VALUE', form.additionalProperties, true),
    ]),
    ...(place.items ? inside(ITEMS, place.items.schema, true) : []),
    ...[...place.members].flatMap(([name, member]) => inside(name, member.schema, member.isRequired)),
  ];
};

const PROMISED = { basis: 'promised', rules: [] } as const;

/** Whether one of these parts of the contract has `x-inferred`, and the rules that the text of `x-inferred` cites. */
const reasonIn = (marked: readonly object[]): Pick<Field, 'basis' | 'rules'> => {
  const reason = marked.flatMap((one) => ('x-inferred' in one ? String(one['x-inferred']) : []))[0];
  if (reason === undefined) return PROMISED;
  return { basis: 'inferred', rules: (reason.match(/\b[A-Z]\d+\b/g) ?? []) as RuleNumber[] }; // such as A4
};

export const withValue = ({ where, names }: Field, call: Call, value: unknown): Call => {
  const [first = '', ...inside] = names;
  const filled = inside.reduceRight<unknown>((inner, name) => {
    if (name === '[]') return [inner];
    return name === 'KEY' ? { [String(inner)]: 'value' } : { [name === 'VALUE' ? 'key' : name]: inner };
  }, value);
  return { ...call, [where]: { ...Object(call[where]), [first]: filled } };
};

/** The name of the field in a violation, such as `roles[0].name`. @param key a member of a free-form object */
export const nameOf = ({ names: [first, ...inside] }: Field, key = 'key'): string => {
  const parts: Readonly<Record<string, string>> = { '[]': '[0]', KEY: `.${key}`, VALUE: '.key' };
  return [first, ...inside.map((name) => parts[name] ?? `.${name}`)].join('');
};

export const keywordOf = ({ forms }: Field, keyword: string): unknown =>
  forms.find((form) => keyword in form)?.[keyword];

/** Sends the operation's sample with this value in the field. Expects `answer`, or else the sample's usual answer. */
export const accepts = (api: Api, field: Field, value: unknown, answer?: Expected): Promise<unknown> => {
  const { operationId } = field;
  const call = withValue(field, sampleOf(operationId, api), value);
  return api.call(operationId, call, answer ?? sampleAnswer(operationId));
};

/** Sends the operation's sample with this value in the field. Expects a refusal that names the field. */
export const refuses = (api: Api, field: Field, value: unknown) => {
  const { operationId } = field;
  const call = withValue(field, sampleOf(operationId, api), value);
  return api.refuses(operationId, call, nameOf(field, String(value)));
};
