/** What is wrong with a scenario, and where: all of it at once. */
import { createLost, type Lost } from './lost.ts';

/** A place within a scenario, from its root: `['environments', 'development', 'users', 0, 'email']`. */
export type Path = readonly (string | number)[];

export interface Fault {
  /** The file as messages name it; absent where the scenario was an object. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
  /** `environments.development.users[0].email`, or "" for the whole. */
  readonly path: string;
  readonly message: string;
}

/** A scenario that cannot be loaded; nothing of it was. The message has a line per fault: `FILE:LINE:COL: PATH: what`. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(formatFault).join('\n'));
    this.faults = faults;
  }
}

/** One line of a message. */
export const formatFault = ({ file, line, column, path, message }: Fault): string => {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column}: `;
  return `${place}${path === '' ? '' : `${path}: `}${message}`;
};

/** A path as messages show it. */
export const formatPath = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  );

/** A list of faults with a limit, since one row that is repeated can be wrong a hundred thousand times. */
export interface Faults {
  /** What could not be read, so that nobody is blamed for naming a row that stands there. */
  readonly lost: Lost;
  /** Gives back nothing, so that a function that finds a fault can end with it. */
  add(fault: Fault): undefined;
  isEmpty(): boolean;
  /** Whether there are as many as are shown: whatever is added now is only counted. */
  isFull(): boolean;
  /** @throws ScenarioError if anything was added */
  throwIfAny(): void;
}

/** More than anyone reads; where a file has so many of the first kind, those that are harder to find are not looked for. */
const MOST_SHOWN = 200;

export const createFaults = (): Faults => {
  const faults = new Map<string, Fault>();
  let left = 0;
  return {
    lost: createLost(),
    add: (fault) => {
      const text = formatFault(fault);
      if (faults.has(text)) return undefined;
      if (faults.size < MOST_SHOWN) faults.set(text, fault);
      else left += 1;
      return undefined;
    },
    isEmpty: () => faults.size === 0,
    isFull: () => faults.size === MOST_SHOWN,
    throwIfAny: () => {
      if (faults.size === 0) return;
      const more = left > 0 ? [{ path: '', message: `and ${left} more` }] : [];
      throw new ScenarioError([...[...faults.values()].sort(byPlace), ...more]);
    },
  };
};

const byPlace = (left: Fault, right: Fault): number =>
  (left.file ?? '').localeCompare(right.file ?? '') ||
  (left.line ?? 0) - (right.line ?? 0) ||
  (left.column ?? 0) - (right.column ?? 0);
