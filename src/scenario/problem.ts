/** Collects the problems of a scenario, with their places, and reports them together. */
import { Refusal } from '../core/errors.ts';

/** A place within a scenario, from its root: `['environments', 'development', 'users', 0, 'email']`. */
export type Path = readonly (string | number)[];

export interface Problem {
  /** The name of the file in messages. Absent if the scenario is an object. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
  /** `environments.development.users[0].email`, or "" for the whole scenario. */
  readonly path: string;
  readonly message: string;
}

/** The scenario cannot be loaded. The message has a line `FILE:LINE:COL: PATH: PROBLEM` for each problem. */
export class ScenarioError extends Refusal {
  override readonly name = 'ScenarioError';
  readonly problems: readonly Problem[];
  override readonly hint =
    'Nothing was changed. Correct the listed problems and try again; fixtures/scenario.schema.json describes scenarios.';

  constructor(problems: readonly Problem[]) {
    super('INVALID_ARGUMENT', problems.map(formatProblem).join('\n'));
    this.problems = problems;
  }
}

const formatProblem = ({ file, line, column, path, message }: Problem): string => {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column}: `;
  return `${place}${path === '' ? '' : `${path}: `}${message}`;
};

const MOST_PROBLEMS = 100;

/** The problems of one load. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  /**
   * Always returns undefined, so that callers can write `return problems.add(...)`.
   * @throws ScenarioError at the hundredth problem, since nobody reads more and finding more could take a long time
   */
  add(problem: Problem): undefined {
    this.#found.set(formatProblem(problem), problem);
    if (this.#found.size < MOST_PROBLEMS) return;
    const message = `these are the first ${MOST_PROBLEMS} problems; there may be more`;
    throw new ScenarioError([...this.#sorted(), { path: '', message }]);
  }

  /** @throws ScenarioError if anything was added */
  throwIfAny(): void {
    if (this.#found.size > 0) throw new ScenarioError(this.#sorted());
  }

  #sorted(): readonly Problem[] {
    return [...this.#found.values()].sort(byPlace);
  }
}

const byPlace = (left: Problem, right: Problem): number =>
  (left.file ?? '').localeCompare(right.file ?? '') ||
  (left.line ?? 0) - (right.line ?? 0) ||
  (left.column ?? 0) - (right.column ?? 0);
