/** The files and objects that a scenario comes from, and the problems in them, with lines and columns. */
import { isUtf8 } from 'node:buffer';
import { Refusal } from '../core/errors.ts';
import { readRegularFile } from '../core/files.ts';
import { defined, valueAt } from '../core/object.ts';
import { type Locate, type Path, readScenario, type TextPosition } from './scenario-text.ts';

/** `path` is such as `environments.development.users[0].email`; empty for the whole scenario. */
interface Problem extends Partial<TextPosition> {
  readonly file?: string;
  readonly path: string;
  readonly message: string;
}

/** The scenario cannot be loaded. The message has a line `FILE:LINE:COL: PATH: PROBLEM` for each problem. */
export class ScenarioError extends Refusal {
  override readonly name = 'ScenarioError';
  override readonly hint =
    'Nothing was changed. Correct the listed problems and try again; fixtures/scenario.schema.json describes scenarios.';

  constructor(problems: readonly Problem[]) {
    const violations = problems.map(({ path: field, message: description }) => ({
      field,
      constraint: 'scenario',
      description,
    }));
    super('INVALID_ARGUMENT', problems.map(formatProblem).join('\n'), '', { violations });
  }
}

const formatProblem = ({ file, line, column, path, message }: Problem): string => {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column}: `;
  return `${place}${path === '' ? '' : `${path}: `}${message}`;
};

const MOST_PROBLEMS = 100;

export class Problems {
  readonly #found = new Map<string, Problem>();

  /** @throws ScenarioError at the hundredth problem: nobody reads more, and finding them could take a long time */
  add(problem: Problem): undefined {
    this.#found.set(formatProblem(problem), problem);
    if (this.#found.size < MOST_PROBLEMS) return;
    const message = `these are the first ${MOST_PROBLEMS} problems; there may be more`;
    throw new ScenarioError([...this.#sorted(), { path: '', message }]);
  }

  /** @throws ScenarioError if any problem was added */
  throwIfAny(): void {
    if (this.#found.size > 0) throw new ScenarioError(this.#sorted());
  }

  #sorted(): readonly Problem[] {
    return [...this.#found.values()].sort(byPosition);
  }
}

const byPosition = (left: Problem, right: Problem): number =>
  (left.file ?? '').localeCompare(right.file ?? '') ||
  (left.line ?? 0) - (right.line ?? 0) ||
  (left.column ?? 0) - (right.column ?? 0);

export const formatPath = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );

/** The file or object that a value comes from. Problems in an object have a path, but no line or column. */
interface Origin {
  readonly problems: Problems;
  /** The file's name as messages show it. */
  readonly file?: string;
  readonly locate?: Locate;
}

/** A value of a scenario, and its place in the file or object that it comes from. */
export class Source<Value = unknown> {
  constructor(
    readonly value: Value,
    readonly origin: Origin,
    readonly at: Path = [],
  ) {}

  part<Part = unknown>(...steps: Path): Source<Part> {
    return this.with(valueAt(this.value, ...steps) as Part, steps); // the schema check tells what is there
  }

  /** Another value at this place, or at a path inside it. */
  with<Other>(value: Other, steps: Path = []): Source<Other> {
    return new Source(value, this.origin, [...this.at, ...steps]);
  }

  /** Adds a problem at a path inside the value. Always returns undefined, so that callers can return that. */
  problem(path: Path, message: string, part?: 'key'): undefined {
    const { problems, file, locate } = this.origin;
    const place = [...this.at, ...path];
    const { line, column } = locate?.(place, part) ?? {};
    return problems.add({ ...defined({ file, line, column }), path: formatPath(place), message });
  }
}

/** Reads a file as a source, or adds problems and returns undefined. @param file the file's name as messages show it */
export const fileSource = (path: string, file: string, problems: Problems): Source | undefined => {
  const refuse = (message: string, position: TextPosition = { line: 1, column: 1 }): undefined =>
    problems.add({ file, ...position, path: '', message });
  const read = readRegularFile(path);
  if ('problem' in read) return refuse(read.problem);
  if (!isUtf8(read.bytes)) return refuse('contains bytes that are not UTF-8');
  const text = read.bytes.toString('utf8').replace(/^\uFEFF/, '');
  const { problems: found, value, locate } = readScenario(text, file);
  for (const { message, ...place } of found) refuse(message, place);
  if (value === null)
    return refuse('is empty; write "environments: { development: {} }" or create a file with "ca-mock init"');
  return value === undefined ? undefined : new Source(value, { problems, file, locate });
};
