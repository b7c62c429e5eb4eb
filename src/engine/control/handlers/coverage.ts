/** Handlers of calls for one or all environments: report coverage, clear coverage, and write the Pact. */

import { surfacesOf } from '../../contract/members.ts';
import type { UsedContract } from '../../environments/used.ts';
import type { Context, HandlerReply, Handlers, QueryOf } from '../call-types.ts';
import { coverageTable, reportCoverage } from '../coverage-report.ts';
import { writePact } from '../pact.ts';
import { DONE } from './shared.ts';

export const coverage = {
  getTotalCoverage: ({ query }, context) => {
    const { environments } = context;
    return answer(environments.totalUsed(), 'all environments', environments.first().name, query, context);
  },

  getTotalPact: ({ query }, { environments }) => ({
    status: 200,
    body: writePact(environments.service.contract, environments.totalUsed().interactions, query),
  }),

  getPact: ({ query }, { environment }) => ({
    status: 200,
    body: writePact(environment.service.contract, environment.used.interactions, query),
  }),

  clearTotalCoverage: (_input, { environments }) => {
    environments.clearCoverage();
    return DONE;
  },

  getCoverage: ({ query }, context) => {
    const { used, name } = context.environment;
    return answer(used, name, name, query, context);
  },

  clearCoverage: (_input, { environment }) => {
    environment.used.coverage.clear();
    return DONE;
  },
} satisfies Partial<Handlers>;

/**
 * Answers with the coverage as JSON or as a table. The status is 412 if the coverage is lower than `min`. A browser is
 * redirected to the console.
 * @param coveredBy the words after "by" in the title of the table
 * @param name the environment whose coverage the console shows
 */
const answer = (
  { coverage }: UsedContract,
  coveredBy: string,
  name: string,
  { min = 0, format }: QueryOf<'getCoverage'>,
  { environments, headers: { accept = '' } }: Context,
): HandlerReply<'getCoverage'> => {
  // The first type in `Accept` counts; browsers put `text/html` first.
  const wanted = format ?? /text\/html|text\/plain|application\/json/.exec(accept)?.[0];
  if (wanted === 'text/html') {
    const location = `${environments.baseUrl}/_mock/#/${encodeURIComponent(name)}/reference`;
    return { status: 303, location };
  }
  const { contract } = environments.service;
  const report = reportCoverage(
    contract.operations.map((one) => surfacesOf(contract)(one.operationId)),
    coverage,
  );
  const status = report.percent < min ? 412 : 200;
  if (wanted === 'text' || wanted === 'text/plain')
    return { status, contentType: 'text/plain', text: coverageTable(report, coveredBy) };
  return status === 412 ? { status, body: report } : { status, body: report }; // the branches have different types: the first has the status 412, the second 200
};
