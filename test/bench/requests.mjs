/** Makes one request for each operation from the contract's examples. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { TOKEN } from './work.mjs';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/** The requests. Some fail with other scenarios, but the server compiles their validators all the same. */
export const readRequests = () => {
  const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
  const follow = (value) =>
    typeof value?.$ref === 'string'
      ? value.$ref
          .slice(2)
          .split('/')
          .reduce((found, name) => found[name], contract)
      : value;
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(follow);
      const { type, body } = exampleBody(follow, follow(operation.requestBody));
      return {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path: fillPath(follow, path, parameters),
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type },
        body,
      };
    }),
  );
};

const fillPath = (follow, path, parameters) =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name) => {
    const { example, schema } = parameters.find((one) => one.name === name);
    return encodeURIComponent(example ?? follow(schema)?.example ?? 'unknown');
  });

const exampleBody = (follow, requestBody) => {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return { type: 'application/json', body: '' };
  const example = follow(Object.values(media.examples ?? {})[0])?.value ?? media.example ?? {};
  return {
    type,
    body: type.includes('json') ? JSON.stringify(example) : String(new URLSearchParams(example)),
  };
};
