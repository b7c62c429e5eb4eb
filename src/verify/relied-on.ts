/** Checks that replies have the members that an application relies on, with the types of the contract. */
import { isJsonObject } from '../openapi/document.ts';
import { loadContract } from '../openapi/load.ts';
import type { OperationId } from '../openapi/types.ts';
import { accepts, placeAt, replyPlace, stepsOf, typesOf, valuesOf } from '../relied-on/schema.ts';
import { type Used, usedOperations } from '../relied-on/used.ts';
import { sums } from './report.ts';
import type { Outcome } from './run.ts';
import type { Exchange } from './service.ts';

export interface Finding {
  readonly operation: OperationId;
  readonly status: string;
  readonly member: string;
  readonly result: 'holds' | 'differs' | 'not seen';
  /** What is wrong. For a member that no reply could hold: which call would show it. */
  readonly words: string;
}

/** A member that the application relies on, and its values in the replies so far. */
interface Watched {
  readonly operation: OperationId;
  readonly status: string;
  readonly member: string;
  /** The number of replies that could hold the member, because they have the object that it belongs to. */
  replies: number;
  values: number;
  /** The first wrong value, described. */
  wrong: string | undefined;
}

const UNSEEN = { replies: 0, values: 0, wrong: undefined };

/** Looks at the replies of a run. */
export const watchUsed = (used: Used) => {
  const watched = usedOperations(used).flatMap(([{ operationId }, { gets }]) =>
    Object.entries(gets).flatMap(([status, members]) =>
      members.map((member): Watched => ({ operation: operationId, status, member, ...UNSEEN })),
    ),
  );
  return {
    onExchange: ({ operationId, call, reply }: Exchange): void => {
      if (call.method !== undefined) return; // this is not the operation, but another method of its path
      for (const one of watched)
        if (one.operation === operationId && one.status === String(reply.status)) look(one, reply.body);
    },
    /** @param outcomes of all cases; skipped cases say why a member was not seen */
    findings: (outcomes: readonly Outcome[]) => watched.map((one) => findingOf(one, outcomes)),
  };
};

const look = (one: Watched, body: unknown): void => {
  const { holders, values } = valuesAt(body, stepsOf(one.member));
  if (holders === 0) return;
  one.replies += 1;
  one.values += values.length;
  one.wrong ??= wrongIn(one, values);
};

/** The number of objects or lists that could hold the last step of a path, and the values that they hold there. */
const valuesAt = (body: unknown, steps: readonly string[]) => {
  let holders: readonly object[] = [];
  let values: readonly unknown[] = [body];
  for (const step of steps) {
    holders = values.filter((value) =>
      step === '[]' ? Array.isArray(value) && value.length > 0 : isJsonObject(value),
    ) as readonly object[];
    values = holders.flatMap((holder) => {
      if (Array.isArray(holder)) return holder;
      return Object.hasOwn(holder, step) ? [Reflect.get(holder, step)] : [];
    });
  }
  return { holders: holders.length, values };
};

const wrongIn = ({ operation, status, member }: Watched, values: readonly unknown[]): string | undefined => {
  const contract = loadContract();
  const reply = replyPlace(contract, contract.operation(operation), status);
  const place = reply && placeAt(reply, member);
  if (!place) return undefined;
  const [types, listed] = [typesOf(place), valuesOf(place)];
  const wrong = values.map(typeOf).find((type) => !accepts(types, type));
  if (wrong !== undefined) return `is ${wrong}, expected ${types.join(' or ')}`;
  return listed && values.some((value) => !listed.includes(value))
    ? 'has a value that the contract does not list'
    : undefined;
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

const findingOf = (one: Watched, outcomes: readonly Outcome[]): Finding => {
  const { operation, status, member, replies, values, wrong } = one;
  const finding = { operation, status, member };
  if (replies === 0) return { ...finding, result: 'not seen', words: whyNot(operation, outcomes) };
  if (wrong !== undefined) return { ...finding, result: 'differs', words: wrong };
  if (values > 0) return { ...finding, result: 'holds', words: '' };
  const from = replies === 1 ? 'the only reply' : `all ${replies} replies`;
  return { ...finding, result: 'differs', words: `is missing from ${from}` };
};

/** Says what the skipped cases of the operation need. */
const whyNot = (operation: OperationId, outcomes: readonly Outcome[]): string => {
  const skipped = outcomes.filter(
    ({ case: one, result }) => one.operationId === operation && result === 'skipped',
  );
  const reasons = new Set(skipped.flatMap(({ messages }) => messages));
  if (reasons.size === 0) return 'no case of the suite makes the service return it';
  return `a case ${[...reasons].join('; or ')}`;
};

/** The report: a line for each operation, and below it the members that are wrong or were not seen. */
export const reliedOnText = (findings: readonly Finding[]): string => {
  const operations = [...new Set(findings.map(({ operation }) => operation))];
  const width = Math.max(0, ...operations.map(({ length }) => length));
  const lines = operations.flatMap((operation) => {
    const own = findings.filter((finding) => finding.operation === operation);
    const counts = sums(own, ['holds', 'differs', 'not seen']);
    return [
      `${operation.padEnd(width)}  ${own.length} relied on: ${counts}\n`,
      ...own
        .filter(({ result }) => result !== 'holds')
        .map(({ status, member, result, words }) => `  ${result}: ${status} ${member}: ${words}\n`),
    ];
  });
  return `\n${lines.join('')}`;
};
