/** Records the calls of a case, and repeats the case with replies from the record, as they are or with one fault. */
import { Api } from '../../../src/conformance/verify/api.ts';
import type { Case } from '../../../src/conformance/verify/case.ts';
import { Missing, type Target } from '../../../src/conformance/verify/service.ts';
import { parseJson } from '../../../src/engine/core/object.ts';

export interface Taped {
  readonly url: string;
  readonly init: RequestInit;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const { fetch } = globalThis;

/** Lets all calls of this process through, and passes each to `onCall` with its reply. Undone by `endTape`. */
export const startTape = (onCall: (taped: Taped) => void): void => {
  globalThis.fetch = async (url, init = {}) => {
    const reply = await fetch(url, init);
    const [{ status }, headers, text] = [
      reply,
      Object.fromEntries(reply.headers),
      await reply.clone().text(),
    ];
    onCall({ url: String(url), init, status, headers, text });
    return reply;
  };
};

export const endTape = (): void => {
  globalThis.fetch = fetch;
};

const UNIQUE = /conformance[a-z0-9]+x\d+/;

const renamed = (text: string, from: string, to: string): string =>
  text.replaceAll(from, to).replaceAll(from.toUpperCase(), to.toUpperCase());

/** Runs a case that gets these replies one by one. @returns whether it fails, and the number of its calls */
export const replay = async (one: Case, target: Target, replies: readonly Taped[]) => {
  const api = new Api(target, one.basis);
  const [name = api.unique] = replies.flatMap(
    ({ url, init }) => UNIQUE.exec(`${url}${init.body}`)?.[0] ?? [],
  );
  let calls = 0;
  globalThis.fetch = async () => {
    const { status, headers, text } = replies[calls++] as Taped; // a case that calls more often throws, as it should
    const body = [new TextEncoder().encode(renamed(text, name, api.unique))];
    return { status, headers: Object.entries(headers), body } as unknown as Response; // all that the suite's client reads
  };
  const thrown: unknown = await (async () => one.run(api))().then(
    () => undefined,
    (error: unknown) => error,
  );
  endTape();
  return { isFailed: thrown !== undefined && !(thrown instanceof Missing), calls };
};

/** The body of a reply; of a redirect, its address as an object. */
export const bodyOf = ({ headers, text }: Taped): unknown => {
  if (headers.location === undefined) return parseJson(text) ?? {};
  const { origin, pathname, searchParams } = new URL(headers.location);
  return { location: origin + pathname, query: Object.fromEntries(searchParams) };
};

export const withBody = (taped: Taped, body: unknown): Taped => {
  if (taped.headers.location === undefined) return { ...taped, text: JSON.stringify(body) };
  const { location, query } = Object(body);
  const address = new URL(location ?? 'https://nowhere.test');
  address.search = new URLSearchParams(query).toString();
  return { ...taped, headers: { ...taped.headers, location: address.href } };
};
