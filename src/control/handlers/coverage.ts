/** Calls about the parts of the contract that were exercised or relied on, in one environment or in all together. */
import type { Coverage } from '../../environments/coverage.ts';
import {
  clearCoverage,
  firstEnvironment,
  totalCoverage,
  totalUsage,
} from '../../environments/environments.ts';
import { presentUsage, type Usage } from '../../environments/used.ts';
import { loadContract } from '../../openapi/load.ts';
import { reportCoverage } from '../coverage-report.ts';
import { coverageTable } from '../coverage-table.ts';
import type { Context, ControlSchemas, Handlers, RedirectAnswer, TextAnswer } from '../types.ts';
import { DONE } from './lookup.ts';

export const coverage = {
  getTotalCoverage: ({ query }, context) => {
    const { environments } = context;
    const shown = { coverage: totalCoverage(environments), of: 'all environments' };
    return answer(shown, firstEnvironment(environments).name, query, context);
  },

  getTotalUsed: (_input, { environments }) => ({ status: 200, body: usedFile(totalUsage(environments)) }),

  getUsed: (_input, { environment }) => ({ status: 200, body: usedFile(environment.used) }),

  clearTotalCoverage: (_input, { environments }) => {
    clearCoverage(environments);
    return DONE;
  },

  getCoverage: ({ query }, context) => {
    const { coverage, name } = context.environment;
    return answer({ coverage, of: name }, name, query, context);
  },

  clearCoverage: (_input, { environment }) => {
    environment.coverage.clear();
    return DONE;
  },
} satisfies Partial<Handlers>;

/** The content of the file that `exec --used` writes. */
const usedFile = (usage: Usage): ControlSchemas['Used'] => ({
  format: 1,
  api: loadContract().document.info.version,
  operations: presentUsage(usage),
});

interface CoverageQuery {
  readonly min?: number;
  readonly format?: 'json' | 'text';
}

interface JsonAnswer<Status> {
  readonly status: Status;
  readonly body: ControlSchemas['Coverage'];
}

/**
 * Answers 412 if the coverage is lower than required.
 * @param name of the environment; browsers are redirected to its view
 */
const answer = (
  { coverage, of }: { readonly coverage: Coverage; readonly of: string },
  name: string,
  { min = 0, format }: CoverageQuery,
  { environments, headers: { accept = '' } }: Context,
): RedirectAnswer | TextAnswer | JsonAnswer<200> | JsonAnswer<412> => {
  // The first type in `Accept` counts; browsers put `text/html` first.
  const wanted = format ?? /text\/html|text\/plain|application\/json/.exec(accept)?.[0];
  if (wanted === 'text/html')
    return { status: 303, location: `${environments.baseUrl}/_mock/#/${encodeURIComponent(name)}/coverage` };
  const report = reportCoverage(environments.surfaces.all(), coverage.byOperation());
  const status = report.percent < min ? 412 : 200;
  if (wanted === 'text' || wanted === 'text/plain')
    return { status, contentType: 'text/plain', text: coverageTable(report, of) };
  return status === 412 ? { status, body: report } : { status, body: report };
};
