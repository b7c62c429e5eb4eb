/** A message becomes the request of the API that its annotation says, and the reply of the API a message. */
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
  toJson,
} from '@bufbuild/protobuf';
import type { FieldViolation } from '../core/errors.ts';
import { isJsonObject, type Json, type JsonObject as Schema } from '../openapi/document.ts';
import type { Contract, ContractOperation } from '../openapi/load.ts';
import { type BoundMethod, type BoundRule, VARIABLE } from './bind.ts';
import { type Spelling, spell } from './members.ts';
import type { GivenNames } from './names.ts';
import type { Place } from './schema.ts';

export interface RestRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly contentType?: string;
  readonly body?: string;
  /** Fields that the path needs and the message does not have. */
  readonly missing: readonly FieldViolation[];
}

export interface Transcoder {
  toRequest(message: Message): RestRequest;
  /** @param body of a successful reply, parsed */
  toMessage(body: JsonValue): Message;
}

export interface Languages {
  readonly contract: Contract;
  readonly registry: Registry;
  readonly names: GivenNames;
}

/** Of a method that the contract has. */
export const createTranscoder = (bound: BoundMethod, languages: Languages): Transcoder => {
  const { input, output } = bound.method;
  const forms = bound.rules.map((rule) => createForm(rule, bound, languages));
  const { registry } = languages;
  return {
    toRequest: (message) => {
      const json = toJson(input, message, { registry, useProtoFieldName: true });
      const fields = isObject(json) ? json : {};
      const form =
        forms.find(({ rule }) => rule.variables.every((name) => textAt(fields, name) !== '')) ?? forms[0];
      if (!form) throw new Error(`${bound.method.name} has no REST form.`);
      return form.toRequest(fields);
    },
    toMessage: (body) => {
      const json = forms[0]?.toReply(body) ?? {};
      return fromJson(output, json, { registry, ignoreUnknownFields: true });
    },
  };
};

interface Form {
  readonly rule: BoundRule;
  toRequest(fields: JsonObject): RestRequest;
  toReply(body: JsonValue): JsonObject;
}

const createForm = (rule: BoundRule, { method }: BoundMethod, { contract, names }: Languages): Form => {
  const { operation, body } = rule;
  const { document } = contract;
  const at = (schema: Schema | undefined): Place | undefined => schema && { document, schema };
  const content = contentOf(operation.definition.requestBody);
  const whole = spell(method.input, at(body === '*' ? content?.schema : querySchema(operation)), names);
  const part = spellingAt(method.input, body === '*' ? undefined : body, at(content?.schema), names);
  const reply = spellingAt(method.output, rule.responseBody, at(replySchema(contract, operation)), names);
  const wholeReply = spell(method.output, at(replySchema(contract, operation)), names);
  return {
    rule,
    toRequest: (fields) => {
      const { path, missing } = fillTemplate(rule, fields);
      const { bodyFields, queryFields } = divide(rule, without(fields, rule.variables));
      const sent = body === '*' ? whole.toContract(bodyFields) : (part?.toContract(bodyFields) ?? bodyFields);
      const query = formOf(whole.toContract(queryFields)).toString();
      return {
        method: rule.verb,
        url: query === '' ? path : `${path}?${query}`,
        missing,
        ...(body !== undefined && {
          contentType: content?.type ?? JSON_TYPE,
          body: content?.type === FORM_TYPE ? formOf(sent).toString() : JSON.stringify(sent),
        }),
      };
    },
    toReply: (sent) => {
      const { responseBody } = rule;
      if (responseBody === undefined) return isObject(sent) ? wholeReply.toDescriptor(sent) : {};
      return { [responseBody]: reply && isObject(sent) ? reply.toDescriptor(sent) : sent };
    },
  };
};

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How the contract spells the message in one field of another. */
const spellingAt = (
  message: DescMessage,
  name: string | undefined,
  place: Place | undefined,
  names: GivenNames,
): Spelling | undefined => {
  const field = message.fields.find((one) => one.name === name);
  return field?.fieldKind === 'message' ? spell(field.message, place, names) : undefined;
};

/** The kind of body that an operation takes, or answers with. */
const contentOf = (
  holder: Json | undefined,
): { readonly type: string; readonly schema: Schema } | undefined => {
  const content = isJsonObject(holder) ? holder.content : undefined;
  const [type, media] = isJsonObject(content) ? (Object.entries(content)[0] ?? []) : [];
  const schema = isJsonObject(media) ? media.schema : undefined;
  return type !== undefined && isJsonObject(schema) ? { type, schema } : undefined;
};

const querySchema = ({ parameters }: ContractOperation): Schema => ({
  properties: Object.fromEntries(
    parameters.filter((one) => one.in === 'query').map(({ name, schema = {} }) => [name, schema]),
  ),
});

const replySchema = (_contract: Contract, { definition }: ContractOperation): Schema | undefined => {
  const [, reply] = Object.entries(definition.responses).find(([status]) => status.startsWith('2')) ?? [];
  return contentOf(reply)?.schema;
};

const textAt = (fields: JsonObject, path: string): string => {
  let value: JsonValue | undefined = fields;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
};

/** The path with its variables filled in; one that is missing is left as it is. */
const fillTemplate = (
  { template }: BoundRule,
  fields: JsonObject,
): { readonly path: string; readonly missing: readonly FieldViolation[] } => {
  const missing: FieldViolation[] = [];
  const path = template.replace(VARIABLE, (variable, name: string, pattern = '*') => {
    const text = textAt(fields, name);
    if (text === '')
      missing.push({
        field: name,
        constraint: 'required',
        description: `${name} is missing. Give it a value.`,
      });
    if (text === '') return variable;
    // A pattern of several segments keeps the slashes between them.
    return pattern === '*' ? encodeURIComponent(text) : text.split('/').map(encodeURIComponent).join('/');
  });
  return { path, missing };
};

const without = (fields: JsonObject, paths: readonly string[]): JsonObject => {
  const left = { ...fields };
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.');
    const inner = left[name];
    if (rest.length > 0 && isObject(inner)) left[name] = without(inner, [rest.join('.')]);
    else delete left[name];
  }
  return left;
};

/** What goes into the body, and what is left for the query. */
const divide = (
  { body }: BoundRule,
  fields: JsonObject,
): { bodyFields: JsonObject; queryFields: JsonObject } => {
  if (body === '*') return { bodyFields: fields, queryFields: {} };
  if (body === undefined) return { bodyFields: {}, queryFields: fields };
  const { [body]: inner, ...queryFields } = fields;
  return { bodyFields: isObject(inner) ? inner : {}, queryFields };
};

/** Members as fields of a query or form: those of lists repeated, those within others joined by dots. */
const formOf = (members: JsonObject): URLSearchParams => {
  const form = new URLSearchParams();
  const add = (name: string, value: JsonValue | undefined): void => {
    if (Array.isArray(value)) for (const one of value) add(name, one);
    else if (isObject(value)) for (const [inner, one] of Object.entries(value)) add(`${name}.${inner}`, one);
    else if (value !== undefined && value !== null) form.append(name, String(value));
  };
  for (const [name, value] of Object.entries(members)) add(name, value);
  return form;
};
