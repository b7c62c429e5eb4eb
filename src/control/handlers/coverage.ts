/** Calls about what of the contract was exercised: by one environment, or by all of them together. */
import type { Coverage } from '../../environments/coverage.ts';
import { clearCoverage, totalCoverage } from '../../environments/environments.ts';
import { reportCoverage } from '../coverage-report.ts';
import { coveragePage, coverageTable } from '../coverage-table.ts';
import type { Context, ControlSchemas, Handlers, TextAnswer } from '../types.ts';
import { DONE, requireEnvironment } from './lookup.ts';

export const coverage = {
  getTotalCoverage: ({ query }, context) =>
    answer(totalCoverage(context.environments), 'all environments', query, context),

  clearTotalCoverage: (_input, { environments }) => {
    clearCoverage(environments);
    return DONE;
  },

  getCoverage: ({ path, query }, context) => {
    const environment = requireEnvironment(context, path.env);
    return answer(environment.coverage, environment.name, query, context);
  },

  clearCoverage: ({ path }, context) => {
    requireEnvironment(context, path.env).coverage.clear();
    return DONE;
  },
} satisfies Partial<Handlers>;

interface CoverageQuery {
  readonly min?: number;
  readonly format?: CoverageFormat;
}

type CoverageFormat = 'json' | 'text' | 'html';

interface JsonAnswer<Status> {
  readonly status: Status;
  readonly body: ControlSchemas['Coverage'];
}

/** 412 where less is covered than was asked for. @param of whose coverage it is */
const answer = (
  seen: Coverage,
  of: string,
  { min = 0, format }: CoverageQuery,
  { environments, headers }: Context,
): TextAnswer | JsonAnswer<200> | JsonAnswer<412> => {
  const report = reportCoverage(environments.surfaces.all(), seen.tallies());
  const status = report.percent < min ? 412 : 200;
  switch (format ?? preferredFormat(headers.accept)) {
    case 'text':
      return { status, contentType: 'text/plain', text: coverageTable(report, of) };
    case 'html':
      return { status, contentType: 'text/html', text: coveragePage(report, of) };
    case 'json':
      return status === 412 ? { status, body: report } : { status, body: report };
  }
};

/** The first of the three that an `Accept` header names; browsers name `text/html` first. */
const preferredFormat = (accept = ''): CoverageFormat => {
  const named = /text\/html|text\/plain|application\/json/.exec(accept)?.[0];
  return named === 'text/html' ? 'html' : named === 'text/plain' ? 'text' : 'json';
};
