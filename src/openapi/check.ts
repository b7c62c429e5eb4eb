/** Refuses a contract that the server could not serve, before it listens and not at the first request. */
import { HTTP_METHODS, isJsonObject, lookUpReference, type OpenApiDocument } from './document.ts';

/** A contract that cannot be served; the message lists everything that is wrong with it. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly problems: readonly string[];

  constructor(source: string, problems: readonly string[]) {
    super([`${source} cannot be served:`, ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.problems = problems;
  }
}

/**
 * The value as a document, if it is one that can be served.
 * @param source names the document in messages
 * @throws ContractError with every problem at once
 */
export const checkContract = (value: unknown, source = 'openapi.yaml'): OpenApiDocument => {
  const problems = [...shapeProblems(value)];
  if (problems.length === 0) problems.push(...operationProblems(value), ...referenceProblems(value, value));
  if (problems.length > 0) throw new ContractError(source, problems);
  return value as OpenApiDocument; // every member that the type names was looked at above
};

function* shapeProblems(value: unknown): Generator<string> {
  if (!isJsonObject(value)) {
    yield 'it is not an object';
    return;
  }
  if (!String(value.openapi).startsWith('3.'))
    yield `openapi is ${String(value.openapi)}; only 3.x can be read`;
  if (!isJsonObject(value.info)) yield 'info is missing';
  if (!isJsonObject(value.paths)) yield 'paths is missing';
  if (!isJsonObject(value.components) || !isJsonObject(value.components.schemas))
    yield 'components.schemas is missing';
}

function* operationProblems(document: unknown): Generator<string> {
  const seen = new Map<string, string>();
  for (const { place, path, operation } of operationsIn(document)) {
    const { operationId, responses } = operation;
    if (typeof operationId !== 'string') yield `${place} has no operationId`;
    else if (seen.has(operationId))
      yield `${place} has the operationId of ${seen.get(operationId)}: ${operationId}`;
    else seen.set(operationId, place);
    if (!isJsonObject(responses)) yield `${place} has no responses`;
    else if (!('default' in responses))
      yield `${place} has no default response, so an error would break the contract`;
    for (const [parameter] of path.matchAll(/\{[^{}]*\}/g)) {
      if (!declares(document, path, operation, parameter.slice(1, -1)))
        yield `${place} does not declare the path parameter ${parameter}`;
    }
  }
}

const declares = (document: unknown, path: string, operation: Member, name: string): boolean =>
  [operation.parameters, member(member(document, 'paths'), path, 'parameters')]
    .flat()
    .map((one) =>
      typeof member(one, '$ref') === 'string' ? lookUpReference(document, String(member(one, '$ref'))) : one,
    )
    .some((one) => member(one, 'in') === 'path' && member(one, 'name') === name);

type Member = Readonly<Record<string, unknown>>;

/** The value that lies under these names, or undefined. */
const member = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce(
    (found, name) => (isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  );

function* operationsIn(document: unknown): Generator<{ place: string; path: string; operation: Member }> {
  const paths = member(document, 'paths');
  if (!isJsonObject(paths)) return;
  for (const path of Object.keys(paths)) {
    for (const method of HTTP_METHODS) {
      const operation = member(paths, path, method);
      if (isJsonObject(operation)) yield { place: `${method.toUpperCase()} ${path}`, path, operation };
    }
  }
}

function* referenceProblems(document: unknown, value: unknown, place = '#'): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    if (name === '$ref' && typeof held === 'string' && lookUpReference(document, held) === undefined)
      yield `${place} refers to ${held}, which is not there`;
    yield* referenceProblems(document, held, `${place}/${name}`);
  }
}
