/** The files and objects that a scenario comes from, and the problems in them, with lines and columns. */
import { isUtf8 } from 'node:buffer';
import { Refusal } from '../core/errors.ts';
import { readRegularFile } from '../core/files.ts';
import { defined, valueAt } from '../core/object.ts';
import { readScenario } from './scenario-text.ts';
import type { Locate, Path, TextPosition } from './yaml.ts';

/** A value of a scenario, and its place in the file or object that it comes from. */
export interface Source<Value = unknown> {
  readonly value: Value;
  /** The file's name as messages show it. Absent if the scenario is an object. */
  readonly file?: string;
  /** The path of the value in the file or object. */
  readonly at: Path;
  readonly locate: Locate;
}

/** A source for the value at a path inside another source. */
export const partOf = (source: Source, ...steps: Path): Source => ({
  ...source,
  value: valueAt(source.value, ...steps),
  at: [...source.at, ...steps],
});

export interface Problem {
  /** The file's name as messages show it. Absent if the scenario is an object. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1. */
  readonly column?: number;
  /** The path of a value, such as `environments.development.users[0].email`. Empty for the whole scenario. */
  readonly path: string;
  readonly message: string;
}

/** The scenario cannot be loaded. The message has a line `FILE:LINE:COL: PATH: PROBLEM` for each problem. */
export class ScenarioError extends Refusal {
  override readonly name = 'ScenarioError';
  override readonly hint =
    'Nothing was changed. Correct the listed problems and try again; fixtures/scenario.schema.json describes scenarios.';

  constructor(problems: readonly Problem[]) {
    const violations = problems.map(({ path, message }) => ({
      field: path,
      constraint: 'scenario',
      description: message,
    }));
    super('INVALID_ARGUMENT', problems.map(formatProblem).join('\n'), '', { violations });
  }
}

const formatProblem = ({ file, line, column, path, message }: Problem): string => {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column}: `;
  return `${place}${path === '' ? '' : `${path}: `}${message}`;
};

const MOST_PROBLEMS = 100;

/** The problems that are found while a scenario is loaded. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  /**
   * Always returns undefined, so that callers can write `return problems.add(...)`.
   * @throws ScenarioError at the hundredth problem: nobody reads more problems, and finding them could take a long time
   */
  add(problem: Problem): undefined {
    this.#found.set(formatProblem(problem), problem);
    if (this.#found.size < MOST_PROBLEMS) return;
    const message = `these are the first ${MOST_PROBLEMS} problems; there may be more`;
    throw new ScenarioError([...this.#sorted(), { path: '', message }]);
  }

  /** Adds a problem inside a source, with its line and column if the source is a file. */
  at({ file, at, locate }: Source, path: Path, message: string, part?: 'key'): undefined {
    const place = [...at, ...path];
    const { line, column } = (file !== undefined && locate(place, part)) || {};
    return this.add({ ...defined({ file, line, column }), path: formatPath(place), message });
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

/** A path as messages show it. */
export const formatPath = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );

/** A source for a scenario that is an object. Problems in this source have a path, but no line or column. */
export const objectSource = (value: unknown): Source => ({ value, at: [], locate: () => undefined });

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
  return value === undefined ? undefined : { file, value, at: [], locate };
};
