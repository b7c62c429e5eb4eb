/** Runs a case at a server, step by step, and tells what is wrong. */
import { parseDuration } from '../engine/core/clock.ts';
import { differences, show } from '../engine/core/contains.ts';
import { parseJson, valueAt } from '../engine/core/object.ts';
import { maskUrl } from '../engine/core/secrets.ts';
import type { OperationId } from '../service/contract.ts';
import { type Basis, type Case, type Changes, isQuestion, NOTHING, type Step, type WantedReply } from './case.ts';
import { aTime, exactly, Matcher } from './matchers.ts';
import { CLAIMS, type Door, type Reply, type Request, type SentCall, toRequest, UNSIGNED } from './request.ts';
import { listIn, whyMissing } from './things.ts';

export interface CaseProblem {
  readonly text: string;
  readonly basis: Basis;
}

/** The server lacks something that the case needs. The message says what, and which flag supplies it. */
export class Missing extends Error {}

/** What the contract says of a reply. */
export type ReplyCheck = (operationId: OperationId, reply: Reply) => readonly CaseProblem[];

/** @returns what is wrong @throws Missing if the case cannot run at this server */
export const runCase = async (one: Case, door: Door, checkReply: ReplyCheck = () => []) => {
  const run = new Run(one, door, checkReply);
  try {
    for (const step of one.steps) await run.step(step);
  } catch (error) {
    if (!(error instanceof Missing)) run.problems.unshift({ text: Object(error).message, basis: one.basis });
    else if (run.problems.length === 0) throw error;
  }
  return run.problems;
};

let cases = 0;
const PLACEHOLDER = /\{(?:(\d+):)?([a-zA-Z][\w.]+)(?:([+-])(\d+[smhd]))?(?:[|](\w+))?\}/g;
/** What `|NAME` does to the value of a placeholder. */
const FILTERS: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  /** Broken tokens: the header asks for no signature, the claims are somebody else's, the end is cut off. */
  unsigned: (token) => `${UNSIGNED}.${token.split('.')[1]}.`,
  altered: (token) => token.replace(/[.].*[.]/, `.${CLAIMS}.`),
  cut: (token) => token.slice(0, -4),
  encoded: encodeURIComponent,
};

class Run {
  readonly problems: CaseProblem[] = [];
  /** A step that was left out has none. */
  readonly #replies: (Reply | undefined)[] = [];
  readonly #things: Door['things'];

  constructor(
    readonly one: Case,
    readonly door: Door,
    readonly checkReply: ReplyCheck,
  ) {
    cases += 1;
    this.#things = { ...door.things, unique: `conformance${String(door.things.run)}x${cases}` };
  }

  async step(step: Step): Promise<void> {
    const { sent, after = isQuestion(step) ? [] : undefined } = step;
    const isOfControl = 'line' in sent && sent.line.includes('{control}');
    if (isOfControl && this.#things.control === undefined) return void this.#replies.push(undefined);
    const request = this.#request(sent);
    const wanted = this.#fill(step.wanted) as WantedReply;
    const before = await this.#records(after);
    const came = await this.door.send(request);
    if ('line' in sent && wanted.status === 302 && came.status === 200)
      throw new Missing('needs a person who follows a link; only a mock follows links by itself');
    const reply = 'line' in sent ? { ...came, body: redirectOf(came) } : came;
    this.#replies.push(reply);
    if ('operationId' in sent && !/HEAD|OPTIONS/.test(request.method)) this.#checkContract(sent.operationId, reply);
    this.#fail(request, reply, wrongIn(reply, wanted));
    const now = await this.#records(after);
    if (after && now.length > 0) this.#fail(request, reply, changesIn(this.#fill(after) as Changes, before, now));
  }

  #request(sent: Step['sent']): Request {
    if ('operationId' in sent) return toRequest(sent.operationId, this.#fill(sent.call) as SentCall, this.door.token);
    const [method = '', url = '', form] = String(this.#fill(sent.line)).split(' ');
    const kind = sent.json ? 'application/json' : 'application/x-www-form-urlencoded';
    return { method, url, headers: { 'content-type': kind }, body: form ?? JSON.stringify(this.#fill(sent.json)) };
  }

  /** The events that the control plane has recorded; if nothing may change, then its e-mails and the state as well. */
  async #records(after?: Changes): Promise<readonly unknown[]> {
    const { control } = this.#things;
    if (control === undefined || after === undefined) return [];
    const names = after === NOTHING ? ['events', 'outbox', 'state'] : ['events'];
    const ask = (name: string) => this.door.send({ method: 'GET', url: `${control}/${name}`, headers: {} });
    return (await Promise.all(names.map(ask))).map(({ body }) => body);
  }

  /** What the contract says of the reply. That an error has a code, in either place, is promised (behaviour R1). */
  #checkContract(operationId: OperationId, reply: Reply): void {
    const what = `the ${reply.status} reply to ${operationId}`;
    const codes = [reply.body, valueAt(reply.body, 'details')].flat().map((each) => valueAt(each, 'error_code'));
    if (reply.status >= 400 && operationId !== 'issueToken' && !codes.some(Boolean))
      this.problems.push({ text: `${what} has no error_code`, basis: 'promised' });
    for (const { text, basis } of this.checkReply(operationId, reply))
      this.problems.push({ text: `${what} breaks the contract: ${text}`, basis });
  }

  /** The case ends here, since its next steps depend on this one. @throws Error with what was sent, what came and what was wanted, if there are differences */
  #fail({ method, url, body }: Request, reply: Reply, wrong: readonly string[]): void {
    if (wrong.length === 0) return;
    const nth = `step ${this.#replies.length} of ${this.one.steps.length}`;
    const sent = body === undefined ? '' : ` ${show(parseJson(body) ?? Object.fromEntries(new URLSearchParams(body)))}`;
    const came = `came: ${reply.status} ${show(reply.body ?? 'no JSON')}`;
    throw new Error(
      [`${nth}: ${method} ${maskUrl(url)}${sent}`, came, ...wrong.map((one) => `wanted: ${one}`)].join('\n'),
    );
  }

  /** A value with its placeholders filled in. @throws Missing */
  #fill(value: unknown): unknown {
    if (typeof value === 'string') return this.#fillText(value);
    if (value instanceof Matcher) return new Matcher(value.words, value.asks, this.#fill(value.wanted));
    if (Array.isArray(value)) return value.map((each) => this.#fill(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.#fill(member)]));
  }

  #fillText(text: string): unknown {
    const [match] = text.matchAll(PLACEHOLDER);
    if (match?.[0] === text) return this.#find(match);
    return text.replaceAll(PLACEHOLDER, (...match) => String(this.#find(match)));
  }

  #find([, nth, path = '', sign, by = '0s', filter]: readonly (string | undefined)[]): unknown {
    const [name = '', ...rest] = path.split('.');
    if (name === 'now') return this.#time(Number(`${sign ?? ''}${parseDuration(by)}`));
    const replies = nth === undefined ? this.#replies.toReversed() : [this.#replies[Number(nth) - 1]];
    const bodies = [this.#things, ...replies.map((reply) => reply?.body)];
    const found = bodies.map((body) => valueAt(body, name, ...rest)).find((value) => value !== undefined);
    if (found !== undefined) return filter === undefined ? found : FILTERS[filter]?.(String(found));
    const reason = whyMissing(name);
    throw reason ? new Missing(`needs ${reason}`) : new Error(`No reply so far has a value at ${path}.`);
  }

  /** The time that a frozen clock shows, moved; at a server without one, any time. */
  #time(by: number): unknown {
    const { now } = this.#things;
    return typeof now === 'string' ? new Date(Date.parse(now) + by).toISOString() : aTime;
  }
}

const redirectOf = ({ headers: { location }, body }: Reply): unknown => {
  if (location === undefined) return body;
  const { origin, pathname, searchParams } = new URL(location, 'http://relative.test');
  return { location: origin + pathname, query: Object.fromEntries(searchParams) };
};

const differencesIn = (wanted: object, value: object): readonly string[] =>
  differences(wanted, value, '').map(({ words }) => words.slice(1)); // without the dot before each name

const SUCCESS = new Matcher('a success', (status) => Number(status) < 300);

const wrongIn = (reply: Reply, { status = SUCCESS, body = {}, headers = {} }: Partial<Record<keyof Reply, unknown>>) =>
  differencesIn({ status, body, headers }, { ...reply, body: reply.body ?? {} });

/** What differs between what has changed and what should. */
const changesIn = (after: Changes, before: readonly unknown[], now: readonly unknown[]): readonly string[] => {
  const [events = [], earlier = []] = [now, before].map(([first]) => listIn(first, 'events'));
  const changes = { events: events.slice(earlier.length), isUnchanged: JSON.stringify(before) === JSON.stringify(now) };
  return differencesIn(
    after === NOTHING ? { events: exactly(), isUnchanged: true } : { events: exactly(...after) },
    changes,
  );
};
