/** Checks that replies have the members that an application uses, with the types of the contract. */
import { isJsonObject } from '../../contract/document.ts';
import { loadContract } from '../../contract/load.ts';
import { ITEMS, placeAt, stepsOf } from '../../contract/members.ts';
import type { OperationId } from '../../contract/types.ts';
import { valueAt } from '../../core/object.ts';
import { replyPlace } from '../used/calls.ts';
import { accepts, typeOf, viewOf } from '../used/keywords.ts';
import { type UsedFile, usedOperations } from '../used/used.ts';
import { sums } from './report.ts';
import type { Outcome } from './run.ts';

export interface Finding {
  readonly operation: OperationId;
  readonly status: string;
  readonly member: string;
  readonly result: 'holds' | 'differs' | 'not seen';
  /** For `differs`: what is wrong with the member. For `not seen`: why no reply could contain the member. */
  readonly words: string;
}

/** Searches the replies of a run for every member that the application uses. */
export const findingsOf = (used: UsedFile, outcomes: readonly Outcome[]): readonly Finding[] => {
  const exchanges = outcomes.flatMap((one) => one.exchanges);
  return usedOperations(used, loadContract()).flatMap(([{ operationId: operation }, { gets }]) =>
    Object.entries(gets).flatMap(([status, members]) => {
      // Skips calls that set `method`, since with another method they call another operation.
      const own = exchanges.filter((one) => one.operationId === operation && one.call.method === undefined);
      const bodies = own.flatMap(({ reply }) => (String(reply.status) === status ? [reply.body] : []));
      return members.map((member): Finding => {
        const asked = { operation, status, member };
        const found = judge(asked, bodies) ?? ['not seen', whyNotSeen(operation, outcomes)];
        return { ...asked, result: found[0], words: found[1] };
      });
    }),
  );
};

type Member = Pick<Finding, 'operation' | 'status' | 'member'>;

/** Undefined if no reply had a place for the member. */
const judge = (
  one: Member,
  bodies: readonly unknown[],
): readonly [Finding['result'], words: string] | undefined => {
  const steps = stepsOf(one.member);
  const holders = bodies.map((body) => valuesAt([body], steps.slice(0, -1)).filter(isHolder(steps.at(-1))));
  const replies = holders.filter(({ length }) => length > 0).length;
  if (replies === 0) return undefined;
  const values = valuesAt(holders.flat(), steps.slice(-1));
  const from = replies === 1 ? 'the only reply' : `all ${replies} replies`;
  const missing = values.length > 0 ? undefined : `is missing from ${from}`;
  const wrong = wrongIn(one, values) ?? missing;
  return wrong === undefined ? ['holds', ''] : ['differs', wrong];
};

/** Whether a step of a path fits a value: `[]` fits a list that is not empty, any other step fits an object. */
const isHolder = (step: string | undefined) => (value: unknown) =>
  step === ITEMS ? Array.isArray(value) && value.length > 0 : isJsonObject(value);

/** Follows the path `steps` from each value in `start`, and returns all values found at its end. */
const valuesAt = (start: readonly unknown[], steps: readonly string[]): readonly unknown[] =>
  steps.reduce<readonly unknown[]>(
    (values, step) =>
      values.filter(isHolder(step)).flatMap((holder) => {
        if (Array.isArray(holder)) return holder;
        const value = valueAt(holder, step);
        return value === undefined ? [] : [value];
      }),
    start,
  );

const wrongIn = ({ operation, status, member }: Member, values: readonly unknown[]): string | undefined => {
  const contract = loadContract();
  const reply = replyPlace({ contract, operation: contract.operation(operation) }, status);
  const place = reply && placeAt(reply, member);
  if (!place) return undefined;
  const types = viewOf(place).get('type');
  const wrong = types && values.map(typeOf).find((type) => !accepts(types, type));
  if (wrong !== undefined) return `is ${wrong}, expected ${types?.join(' or ')}`;
  return place.values.size > 0 && values.some((value) => !place.values.has(value))
    ? 'has a value that the contract does not list'
    : undefined;
};

const whyNotSeen = (operation: OperationId, outcomes: readonly Outcome[]): string => {
  const own = outcomes.filter((one) => one.case.operationId === operation && one.result === 'skipped');
  const reasons = new Set(own.flatMap(({ messages }) => messages));
  if (reasons.size === 0) return 'no case of the suite makes the service return it';
  return `a case ${[...reasons].join('; or ')}`;
};

/** The report: a line for each operation, and below it the members that are wrong or were not seen. */
export const findingsText = (findings: readonly Finding[]): string => {
  const operations = [...new Set(findings.map(({ operation }) => operation))];
  const width = Math.max(0, ...operations.map(({ length }) => length));
  const lines = operations.flatMap((operation) => {
    const own = findings.filter((finding) => finding.operation === operation);
    const counts = sums(own, ['holds', 'differs', 'not seen']);
    return [
      `${operation.padEnd(width)}  members used: ${own.length} (${counts})\n`,
      ...own
        .filter(({ result }) => result !== 'holds')
        .map(({ status, member, result, words }) => `  ${result}: ${status} ${member}: ${words}\n`),
    ];
  });
  return `\n${lines.join('')}`;
};
