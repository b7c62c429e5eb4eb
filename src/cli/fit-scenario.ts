/** Makes a scenario loadable that was read from a service: leaves out what the contract or the mock does not allow. */
import type { ScenarioForm } from '../model/scenario/sections/index.ts';
import { type Problem, ScenarioError } from '../model/scenario/source.ts';

/** A row of the service that is not in the scenario, or that lost members. */
export interface LeftOut {
  /** Such as `connected_accounts ca_1`, or `connected_accounts ca_1, status` for a member. */
  readonly what: string;
  readonly reason: string;
}

type Row = Record<string, unknown>;

/** The place of a problem: the section, the row, and the member of the row. */
const PLACE = /^environments\.\w+\.(\w+)\[(\d+)\](?:\.([^.[\]]+))?/;
/** Each round removes up to 100 problems. More rounds would take minutes, and nobody would read the list. */
const MOST_ROUNDS = 100;

/** Removes members that the mock refuses, and rows that it refuses without them, until the scenario loads. */
export const fitScenario = (scenario: ScenarioForm, load: () => unknown): readonly LeftOut[] => {
  const lists = Object(scenario.environments?.development);
  const reports: Reports = new Map();
  for (let round = 1; ; round += 1) {
    const problems = problemsIn(load);
    if (problems.length === 0) return [...reports.values()];
    const wrong = rowsOf(problems, lists);
    if (wrong.size === 0 || round === MOST_ROUNDS) throw new ScenarioError(problems);
    leaveOut(wrong, lists, reports);
  }
};

type Reports = Map<Row, LeftOut & { readonly name: string }>;

const leaveOut = (
  wrong: ReturnType<typeof rowsOf>,
  lists: Record<string, unknown>,
  reports: Reports,
): void => {
  for (const [row, { section, members, reason }] of wrong) {
    const name = `${section} ${nameOf(row)}`.trim();
    const report = reports.get(row) ?? { name, what: name, reason };
    const hasAll = [...members].every((member) => Object.hasOwn(row, member));
    reports.set(row, { ...report, what: hasAll ? [report.what, ...members].join(', ') : report.name });
    if (hasAll) for (const member of members) delete row[member];
    else lists[section] = listIn(lists, section).filter((each) => each !== row);
  }
};

const rowsOf = (problems: readonly Problem[], lists: object) => {
  const rows = new Map<Row, { section: string; members: Set<string>; reason: string }>();
  for (const { path, message } of problems) {
    const [, section = '', nth = '', member = ''] = PLACE.exec(path) ?? [];
    const row = listIn(lists, section)[Number(nth)];
    if (!row) continue;
    const known = rows.get(row) ?? { section, members: new Set<string>(), reason: message };
    known.members.add(member);
    rows.set(row, known);
  }
  return rows;
};

const problemsIn = (load: () => unknown): readonly Problem[] => {
  try {
    load();
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    throw error;
  }
};

const listIn = (lists: object, section: string): readonly Row[] => {
  const list: unknown = Reflect.get(lists, section);
  return Array.isArray(list) ? list : [];
};

const nameOf = ({ id, auth_request_id, account, email, name }: Row): string =>
  String(id ?? auth_request_id ?? account ?? email ?? name ?? '').replaceAll(/\p{Cc}/gu, ' ');
