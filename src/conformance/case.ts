/**
 * The format of the table. A case is a rule, a sentence, and steps; a step is a call, what comes back, and what changes.
 *
 * In texts, `{link}` is the newest reply's member `link`, `{1:provider.id}` is from the first step's reply, `{OAUTH.key_id}`
 * something that the server has (`things.ts`), `{now+15d}` a time. `|upper` and `|lower` change the case of letters, and
 * `|encoded` makes a part of a path.
 */
import { mediaOf } from '../engine/contract/members.ts';
import type { InputFor, OperationId } from '../service/contract.ts';
import { loadContract } from '../service/document.ts';
import type { ApiErrorCode } from '../service/errors.ts';
import { exactly, like } from './matchers.ts';
import type { SentCall } from './request.ts';

/** Who says it: the API's description (`promised`), or a rule of RULES.md where the description is silent (`inferred`). */
export type Basis = 'promised' | 'inferred';

/** What is wanted of a reply. The reply may have more members and items than `body`. */
export interface WantedReply {
  /** Absent for the control plane: any success. */
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** All changes of a step, checked where the server has a control plane. */
export interface After {
  readonly events?: readonly object[];
  readonly emails?: readonly object[];
  /** Part of the environment's state, as an export has it. */
  readonly state?: object;
  readonly isUnchanged?: true;
}

export interface Step {
  readonly sent:
    | { readonly operationId: OperationId; readonly call: SentCall }
    /** A call of the control plane, below the environment's path. Only a mock has one. */
    | { readonly control: string; readonly body: unknown }
    /** The method and address of a page for a user, and the form that is posted. Its redirect is not followed. */
    | { readonly page: string };
  readonly wanted: WantedReply;
  readonly after?: After | undefined;
  /** Left out where the server has no control plane. */
  readonly isOptional?: true;
}

export interface Case {
  readonly rules: readonly string[];
  readonly basis: Basis;
  readonly name: string;
  readonly operationId: OperationId;
  readonly steps: readonly Step[];
  /** The file and line in the table. */
  readonly place: string;
}

/** Whether a step asks the control plane for rows, times or settings. Only the tests of a mock can run the case. */
export const needsMock = ({ steps }: Case): boolean =>
  steps.some(({ sent, isOptional }) => 'control' in sent && !isOptional);

/** Whether a step only asks, or is refused, so that nothing changes. */
export const isQuestion = ({ sent, wanted: { status = 200 } }: Step): boolean => {
  if (!('operationId' in sent)) return false;
  const { operationId, call } = sent;
  const { method } = loadContract().operation(operationId);
  const isReading = /get|head|options/i.test(call.method ?? method) && operationId !== 'getConnectedAccountAuth';
  return status >= 400 || isReading || operationId === 'issueToken';
};

export const changesData = ({ steps }: Case): boolean => !steps.every(isQuestion);

type Claim = Omit<Case, 'operationId'>;

const claim = (basis: Basis, rules: string, name: string, ...steps: readonly (Step | readonly Step[])[]): Claim => {
  const { stack } = new Error();
  const place = /[^\s(]*cases[/]\w+[.]ts:\d+/.exec(String(stack));
  return { basis, rules: rules.split(' ').filter(Boolean), name, steps: steps.flat(), place: place?.[0] ?? '' };
};

export const promised = claim.bind(undefined, 'promised');
export const inferred = claim.bind(undefined, 'inferred');

/** The cases of one file of the table, by the operation that they are about. */
export const table = (claims: { readonly [Id in OperationId]?: readonly Claim[] }): readonly Case[] =>
  Object.entries(claims).flatMap(([id, own]) => own.map((one) => ({ ...one, operationId: id as OperationId })));

/** What a step wants: a status, the fields that a 400 names, an `WantedReply` by `refused` or `answer`, or part of the body. */
export type Wanted = number | readonly string[] | Answered | object;

class Answered {
  constructor(readonly answer: WantedReply) {}
}

export const answer = (status: number, body: unknown = {}, headers = {}) => new Answered({ status, body, headers });

/** A refusal. @param words a part of its message */
export const refused = (status: number, error_code?: ApiErrorCode, words = '') =>
  answer(status, { ...(error_code && { details: [{ error_code }] }), ...(words && { message: like(words) }) });

const violations = (fields: readonly string[]): object => ({
  details: [{ validation_error_info: { field_violations: exactly(...fields.map((field) => ({ field }))) } }],
});

const toAnswer = (wanted: Wanted, status?: number): WantedReply => {
  if (typeof wanted === 'number') return { status: wanted };
  if (wanted instanceof Answered) return wanted.answer;
  if (Array.isArray(wanted)) return { status: 400, body: violations(wanted) };
  return { ...(status !== undefined && { status }), body: wanted };
};

/** Nothing changes, not even the state as it is exported. */
export const NOTHING: After = { events: [], emails: [], isUnchanged: true };

/** A call that is written as it is sent. By default it is answered with the contract's success status. */
export const sends = (operationId: OperationId, call: SentCall, wanted: Wanted = {}, after?: After): Step => {
  const { responses } = loadContract().operation(operationId).definition;
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  return { sent: { operationId, call }, wanted: toAnswer(wanted, Number(success)), after };
};

type NamesOf<Part> = Part extends unknown ? keyof Part : never;
type Names<Id extends OperationId> = { [Part in keyof InputFor<Id>]: NamesOf<InputFor<Id>[Part]> }[keyof InputFor<Id>];
/** Parameters and members of the body side by side. A value may be wrong, a name may not. */
type Values<Id extends OperationId> = { readonly [Name in Names<Id>]?: unknown };

/** A function for each operation, which makes a step of a case. */
export const calls = Object.fromEntries(
  loadContract().operations.map(({ operationId, parameters, definition }) => {
    const places = new Map(parameters.map(({ name, in: place }) => [name, place]));
    const hasBody = mediaOf(definition.requestBody) !== undefined;
    const part = (values: object, wanted: string) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => (places.get(name) ?? 'body') === wanted));
    const toStep = (values: object = {}, wanted?: Wanted, after?: After): Step => {
      const call = { path: part(values, 'path'), query: part(values, 'query') };
      return sends(operationId, { ...call, ...(hasBody && { body: part(values, 'body') }) }, wanted, after);
    };
    return [operationId, toStep];
  }),
) as { [Id in OperationId]: (values?: Values<Id>, wanted?: Wanted, after?: After) => Step }; // the entries have these keys

/** A call of the control plane, such as `POST /clock/advance`. */
export const control = (
  line: `${'GET' | 'POST' | 'PATCH' | 'PUT'} /${string}`,
  body?: object,
  wanted: Wanted = {},
  after?: After,
): Step => ({
  sent: { control: line, body },
  wanted: toAnswer(wanted),
  after,
});

/** Rows and settings that the case needs, beside the scenario `default`. */
export const given = (rows: object): Step => control('PATCH /state', rows);
/** Rows that the case needs, and no others. */
export const only = (rows: object): readonly Step[] => [control('POST /reset', { scenario: 'empty' }), given(rows)];
export const advance = (by: string): Step => control('POST /clock/advance', { by });
export const setsClock = (now: string): Step => control('PUT /clock', { mode: 'frozen', now });
/** Moves the clock, if the server is a mock; any time will do at others. */
export const later = (by: string): Step => ({ ...advance(by), isOptional: true });

/** A page for a user, such as `GET {link}` or `POST {link} decision=deny`, with a form. @param wanted by default a redirect to this address: `{ location, query }` */
export const opens = (page: `${'GET' | 'HEAD' | 'POST'} ${string}`, wanted: Wanted = {}, after?: After): Step => ({
  sent: { page },
  wanted: toAnswer(wanted, 302),
  after,
});
