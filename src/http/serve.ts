/** One call of an operation, from its token to its reply (behaviour T4). */
import { type FieldViolation, invalidArgument } from '../core/errors.ts';
import { run } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import { parseBody, readBody } from './body.ts';
import type { Call } from './call.ts';
import type { Headers } from './cors.ts';
import type { Handler, RawAnswer } from './handler.ts';
import { applyFault, checkLimitsAndFaults } from './interference.ts';
import { recall, remember } from './remembered.ts';
import { replyJson, replyText } from './reply.ts';
import type { Match } from './route.ts';
import { readViolations } from './violations.ts';

/** A call that was matched, and what serves it. */
export interface Serving {
  readonly environments: Environments;
  readonly call: Call;
  readonly handler: Handler;
  readonly match: Match;
}

/** A call whose environment is known from its headers. */
export const serveOperation = async (serving: Serving): Promise<void> => {
  const { call, handler } = serving;
  const effect = checkLimitsAndFaults(call);
  if (effect && (await applyFault(call, effect))) return;
  const known = handler.isRepeatable ? recall(call) : undefined;
  if (known) {
    call.sentNames = known.sentNames;
    return replyText(call, known.text);
  }
  if (handler.bodyKind) {
    call.bodyText = await readBody(call.request, call.response);
    call.body = parseBody(call.bodyText, call.request.headers['content-type'], handler.bodyKind);
  }
  requireContract(serving);
  dispatch(serving);
};

/** Reads the query and hands all to the validator. @throws ApiError 400 with every violation at once */
export const requireContract = ({ call, handler, match }: Serving): void => {
  call.query = handler.readQuery(call.rawQuery);
  call.sentNames = Object.keys(call.query);
  const malformed = handler.checkIntegers(call.query);
  const unknown = isStrict(call) ? handler.checkStrictly(call.query, call.body) : [];
  const sent = { query: call.query, params: match.path, headers: call.request.headers, body: call.body };
  const broken = readViolations(handler.checkRequest(sent), sent);
  const violations = [...malformed, ...broken.filter(({ field }) => !isAmong(malformed, field)), ...unknown];
  if (violations.length > 0) throw invalidArgument(violations);
};

const isAmong = (violations: readonly FieldViolation[], wanted: string): boolean =>
  violations.some(({ field }) => field === wanted);

const isStrict = ({ request, environment }: Call): boolean =>
  environment.current.settings.strict || request.headers['x-mock-strict'] === '1';

/**
 * Runs the operation, replies, and commits: in this order, so that what cannot be replied to changes nothing.
 * @param headersOf what an answer of this status has beside the headers of every answer
 */
export const dispatch = (
  { environments, call, handler, match }: Serving,
  headersOf?: (status: number) => Headers,
): void => {
  const input = { path: match.path, query: call.query, body: call.body ?? {} };
  run(
    call.tokenOwner ?? call.environment,
    environments.baseUrl,
    (state, env): RawAnswer => {
      const answer = handler.act(state, input, env);
      return call.method === 'HEAD' ? withoutEffects(answer) : answer;
    },
    (answer, { validity: span }) => {
      const text = replyJson(call, answer, headersOf?.(answer.status));
      if (span && handler.isRepeatable && answer.status === 200) remember(call, text, span);
    },
  );
};

/** HEAD only asks (behaviour T6): what it is not given, such as credentials, was not handed out either. */
const withoutEffects = ({ status, body }: RawAnswer): RawAnswer => ({ status, body });
