/** The report for programs. */
import type { Verdict } from './judge.ts';
import type { Report } from './run.ts';

export const reportJson = ({ baseUrl, totals, isStopped, outcomes }: Report, verdict: Verdict): string => {
  const { known, added, gone, compared } = verdict;
  const cases = outcomes.map(({ area, case: one, result, messages, duration }) => ({
    operation: one.operationId,
    case: one.name,
    result,
    area,
    basis: one.basis,
    cites: one.cites,
    messages,
    duration_ms: Math.round(duration),
  }));
  return `${JSON.stringify({ base_url: baseUrl, totals, is_stopped: isStopped, drift: { compared, known, added, gone }, cases }, undefined, 2)}\n`;
};
