/** Cases about a call as a whole: its token, its method, the ids in it, and the contract's examples. */
import { isJsonObject, lookUpReference } from '../../openapi/document.ts';
import { type ContractOperation, loadContract } from '../../openapi/load.ts';
import { follow } from '../../relied-on/schema.ts';
import { type Case, reading, test } from '../case.ts';
import { aText } from '../matchers.ts';
import { needsToken, sampleAnswer, sampleCases, sampleOf, tokenPart } from '../samples.ts';

const { document } = loadContract();

/** A token that another issuer signed. */
const FOREIGN = [
  tokenPart({ alg: 'RS256', typ: 'JWT', kid: 'another' }),
  tokenPart({ sub: 'somebody', client_id: 'somebody', exp: 4_000_000_000 }),
  'c2lnbmF0dXJl',
].join('.');

export const tokens = ({ operationId }: ContractOperation): readonly Case[] => {
  if (!needsToken(operationId)) return [];
  return reading(
    operationId,
    test(`${operationId} answers 401 without a token, and with a token that the service did not issue`, async (api) => {
      const sample = sampleOf(operationId, api);
      for (const token of [null, 'nobody-issued-this', FOREIGN])
        await api.call(operationId, { ...sample, token }, 401);
    }).promised(),
  );
};

/** One case for each path. It sends the first of these methods that the path does not have. */
export const methods = ({ operationId, path }: ContractOperation): readonly Case[] => {
  const own = loadContract().operations.filter((one) => one.path === path);
  const method = (['get', 'patch', 'put'] as const).find((each) => !own.some((one) => one.method === each));
  if (own[0]?.operationId !== operationId || method === undefined) return [];
  const title = `${method.toUpperCase()} ${path} answers 501, and the header Allow lists the methods of the path`;
  return reading(
    operationId,
    test(title, (api) => {
      const { body: _body, ...sample } = sampleOf(operationId, api);
      const call = { ...sample, method: method.toUpperCase(), ...(method !== 'get' && { body: {} }) };
      const allow = aText(new RegExp(own.map((one) => one.method).join('|'), 'i'));
      return api.call(operationId, call, { status: 501, headers: { allow } });
    }).inferred('T4'),
  );
};

export const unknownIds = ({ operationId, definition }: ContractOperation): readonly Case[] => {
  const { 404: missing } = definition.responses;
  if (missing === undefined || sampleAnswer(operationId).status !== 404) return [];
  const basis = 'x-inferred' in follow(document, missing) ? 'inferred' : 'promised';
  const found = test(`${operationId} answers 404 for ids that do not exist`, (api) =>
    api.call(operationId, sampleOf(operationId, api), 404));
  return reading(operationId, found[basis]('I2'));
};

/**
 * Sends the contract's examples. Replaces the ids and names in them, which come from the mock's own data, with the
 * sample's.
 */
export const examples = ({ operationId, definition }: ContractOperation): readonly Case[] => {
  const content = lookUpReference(definition, '#/requestBody/content/application~1json/examples');
  const claims = Object.entries(isJsonObject(content) ? content : {}).map(([name, given]) =>
    test(`${operationId} does not refuse the contract's example "${name}" as malformed`, (api) => {
      const sample = sampleOf(operationId, api);
      const body = { ...Object(follow(document, given).value), ...Object(sample.body) };
      return api.call(operationId, { ...sample, body }, sampleAnswer(operationId));
    }).inferred(),
  );
  return sampleCases(operationId, ...claims);
};
