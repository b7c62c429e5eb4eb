/**
 * The format of the table. A case is a rule, a sentence, and steps; a step is a call, what comes back, and what changes.
 *
 * In texts, `{link}` is the newest reply's member `link`, `{1:provider.id}` is from the first step's reply, `{OAUTH.key_id}`
 * something that the server has (`things.ts`), `{now+15d}` a time. `|upper` and `|lower` change the case of letters, and
 * `|encoded` makes a part of a path.
 */
import type { Place } from '../engine/contract/members.ts';
import { defined } from '../engine/core/object.ts';
import type { InputFor, OperationId } from '../service/contract.ts';
import { loadContract } from '../service/document.ts';
import type { ApiErrorCode } from '../service/errors.ts';
import { anError, exactly, like, Matcher } from './matchers.ts';
import type { SentCall } from './request.ts';

/** Who says it: the API's description (`promised`), or a rule of RULES.md where the description is silent (`inferred`). */
export type Basis = 'promised' | 'inferred';

/** What is wanted of a reply, which may have more members and items. Without a status, any success will do. */
export interface WantedReply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** The events of a step, or that nothing at all may change. Checked where the server has a control plane. */
export type Changes = readonly object[] | typeof NOTHING;

/** No event, no e-mail, and the same state as it is exported. */
export const NOTHING = 'nothing';

export interface Step {
  readonly sent:
    | { readonly operationId: OperationId; readonly call: SentCall }
    /**
     * A call beside the API: a method, an address and perhaps a form, or what is sent as JSON. With `{control}` in the
     * address, it is a call of the control plane, and left out where the server has none.
     */
    | { readonly line: string; readonly json?: object | undefined };
  readonly wanted: WantedReply;
  readonly after?: Changes | undefined;
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

/** Whether a step only asks, or is refused, so that nothing changes. */
export const isQuestion = ({ sent, wanted: { status = 200 } }: Step): boolean => {
  if (!('operationId' in sent)) return false;
  const { operationId, call } = sent;
  const { method } = loadContract().operation(operationId);
  const isReading = /get|head|options/i.test(call.method ?? method) && operationId !== 'getConnectedAccountAuth';
  return status >= 400 || isReading || operationId === 'issueToken';
};

export const changesData = ({ steps }: Case): boolean => !steps.every(isQuestion);

export type Steps = Step | readonly Steps[];
const flat = (steps: Steps): readonly Step[] => ('sent' in steps ? [steps] : steps.flatMap(flat));

type Claim = Omit<Case, 'operationId'>;

const claim = (basis: Basis, rules: string, name: string, ...steps: readonly Steps[]): Claim => {
  const [place = ''] = /[^\s(]*cases[/]\w+[.]ts:\d+/.exec(String(new Error().stack)) ?? [];
  return { basis, rules: rules.split(' ').filter(Boolean), name, steps: flat(steps), place };
};

export const promised = claim.bind(undefined, 'promised');
export const inferred = claim.bind(undefined, 'inferred');

/** The cases of one file of the table, each below the operation that it is about. */
export const table = (lines: readonly [OperationId, ...(OperationId | Claim)[]]): readonly Case[] => {
  let [operationId] = lines;
  return lines.flatMap((line) => {
    if (typeof line !== 'string') return { ...line, operationId };
    operationId = line;
    return [];
  });
};

/**
 * What a step wants: a status, the fields that a 400 names, a reply by `refused` or `answer`, or part of the body. What is
 * inside its only member, such as `connected_account`, is wanted without the name of that member.
 */
export type Wanted = number | readonly string[] | WantedReply | object;

/** What comes back of a call, and what changes. */
export type Came = [wanted?: Wanted, after?: Changes];

export const answer = (status: number, body: unknown = {}, headers = {}): WantedReply => ({ status, body, headers });

/** The HTTP status of each error (behaviour R1). */
const STATUS = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  PROVIDER_HAS_EXISTING_CONNECTIONS: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  CONNECTION_NOT_ENABLED: 403,
  NOT_FOUND: 404,
  PATH_NOT_FOUND: 404,
  RESOURCE_ALREADY_EXISTS: 409,
  GONE: 410,
  INTERNAL_ERROR: 500,
} satisfies { readonly [Code in ApiErrorCode]?: number };

/** A refusal by the API or by the control plane. @param words a part of its message */
export const refused = (code: keyof typeof STATUS, words = ''): WantedReply =>
  answer(STATUS[code], anError({ code, ...(words && { message: like(words) }) }));

/** @param status of an answer, if the step only says what its body has */
const toReply = (wanted: Wanted, status?: number): WantedReply => {
  if (typeof wanted === 'number') return { status: wanted };
  if (Array.isArray(wanted))
    return answer(400, { details: [violations(exactly(...wanted.map((field) => ({ field }))))] });
  return typeof Object(wanted).status === 'number'
    ? (wanted as WantedReply)
    : { ...(status !== undefined && { status }), body: wanted };
};

/** What an error says of fields. */
export const violations = (field_violations: unknown): object => ({ validation_error_info: { field_violations } });

/** An event by its type and the status before and after, such as `membership.updated ACTIVE > INACTIVE`. */
export const event = (text: string, resource?: object): object => {
  const { type, from, to } = /^(?<type>\S+)(?: (?<from>\w+))?(?: > (?<to>\w+))?$/.exec(text)?.groups ?? {};
  return defined({ type, from, to, resource });
};

/** The wanted part of a reply with one member may be what is inside that member. */
const around = (part: object, { members }: Place): object => {
  const [[name = '', inner] = [], ...others] = members;
  const names = Object.keys(Object(part instanceof Matcher ? part.wanted : part));
  const isInside = inner?.type === 'object' && others.length === 0 && names.length > 0 && !names.includes(name);
  return isInside ? { [name]: part } : part;
};

/** A call that is written as it is sent. By default it is answered with the contract's success status. */
export const sends = (operationId: OperationId, call: SentCall, wanted: Wanted = {}, after?: Changes): Step => {
  const { statuses, reply } = loadContract().operation(operationId);
  const success = Math.min(...statuses);
  const came = toReply(wanted, success);
  const body = came.status === success ? around(Object(came.body), reply(success)) : came.body;
  return { sent: { operationId, call }, wanted: { ...came, body }, after };
};

type NamesOf<Part> = Part extends unknown ? keyof Part : never;
type Names<Id extends OperationId> = { [Part in keyof InputFor<Id>]: NamesOf<InputFor<Id>[Part]> }[keyof InputFor<Id>];
/** Parameters and members of the body side by side. A value may be wrong, a name may not. */
type Values<Id extends OperationId> = { readonly [Name in Names<Id>]?: unknown };

/** A function for each operation, which makes a step of a case. */
export const calls = Object.fromEntries(
  loadContract().operations.map(({ operationId, parameters, kind }) => {
    const places = new Map(parameters.map(({ name, in: place }) => [name, place]));
    const toStep = (values: object = {}, wanted?: Wanted, after?: Changes): Step => {
      const part = (wanted: string) =>
        Object.fromEntries(Object.entries(values).filter(([name]) => (places.get(name) ?? 'body') === wanted));
      const call = { path: part('path'), query: part('query'), ...(kind && { body: part('body') }) };
      return sends(operationId, call, wanted, after);
    };
    return [operationId, toStep];
  }),
) as { [Id in OperationId]: (values?: Values<Id>, wanted?: Wanted, after?: Changes) => Step }; // the entries have these keys

export const asks = (line: string, json?: object, wanted: Wanted = {}, after?: Changes): Step => ({
  sent: { line, json },
  wanted: toReply(wanted),
  after,
});

/** Moves the clock, if the server is a mock; any time will do at others. */
export const later = (by: string): Step => asks('POST {control}/clock/advance', { by });

/** What a mock has then, also what no reply shows; left out at other servers. */
export const sees = (name: 'outbox' | 'state', wanted: object): Step =>
  asks(`GET {control}/${name}`, undefined, wanted);

/**
 * A page for a user, such as `GET {link}` or `POST {link} decision=deny`, with a form.
 * @param wanted by default a redirect to this address, which is not followed: `{ location, query }`
 */
export const opens = (page: string, wanted: Wanted = {}, after?: Changes): Step =>
  asks(page, undefined, toReply(wanted, 302), after);
