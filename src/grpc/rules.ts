/** The REST form of a method: what its annotation `google.api.http` says. */
import type { DescMethod } from '@bufbuild/protobuf';
import { BinaryReader, type WireType } from '@bufbuild/protobuf/wire';

export interface HttpRule {
  /** In upper case. */
  readonly verb: string;
  /** As annotated: `/api/v1/items/{item_id}`. */
  readonly template: string;
  /** The field that is the body; `*` for all that the path does not name; undefined for no body. */
  readonly body?: string;
  /** The field that the body of the reply is; undefined if that is the whole message. */
  readonly responseBody?: string;
}

/** Number of the extension `google.api.http` of the options of a method. */
const HTTP = 72_295_728;

const VERBS: Readonly<Record<number, string>> = { 2: 'GET', 3: 'PUT', 4: 'POST', 5: 'DELETE', 6: 'PATCH' };

/** The rule of a method, then its additional bindings; empty without the annotation. */
export const readHttpRules = ({ proto }: DescMethod): readonly HttpRule[] =>
  // Read by number: packages of SDKs often leave Google's own descriptor out.
  (proto.options?.$unknown ?? [])
    .filter(({ no }) => no === HTTP)
    .flatMap(({ data }) => readRules(new BinaryReader(data).bytes()));

const readRules = (bytes: Uint8Array): readonly HttpRule[] => {
  const reader = new BinaryReader(bytes);
  const rule: { -readonly [Member in keyof HttpRule]: HttpRule[Member] } = { verb: '', template: '' };
  const additional: HttpRule[] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const verb = VERBS[number];
    if (verb !== undefined) Object.assign(rule, { verb, template: reader.string() });
    else if (number === 7) rule.body = reader.string();
    else if (number === 8) Object.assign(rule, readCustom(reader.bytes()));
    else if (number === 11) additional.push(...readRules(reader.bytes()));
    else if (number === 12) rule.responseBody = reader.string();
    else reader.skip(type);
  }
  return [...(rule.template === '' ? [] : [rule]), ...additional];
};

const readCustom = (bytes: Uint8Array): Pick<HttpRule, 'verb' | 'template'> => {
  const reader = new BinaryReader(bytes);
  const custom = { verb: '', template: '' };
  while (reader.pos < reader.len) {
    const [number, type]: [number, WireType] = reader.tag();
    if (number === 1) custom.verb = reader.string();
    else if (number === 2) custom.template = reader.string();
    else reader.skip(type);
  }
  return custom;
};
