/** What is sent to a server, and what comes back. */
import { mediaOf } from '../engine/contract/members.ts';
import { parseJson } from '../engine/core/object.ts';
import type { OperationId } from '../service/contract.ts';
import { loadContract } from '../service/document.ts';

/** Parts of tokens that no service issues, in base64url: a header `{"alg":"none"}`, and claims of `somebody`. */
export const UNSIGNED = 'eyJhbGciOiJub25lIn0';
export const CLAIMS = 'eyJzdWIiOiJzb21lYm9keSIsImNsaWVudF9pZCI6InNvbWVib2R5IiwiZXhwIjo0MDAwMDAwMDAwfQ';

/** The content of a call. If it has no `method` or `url`, the contract supplies the method and the path. */
export interface SentCall {
  readonly path?: Readonly<Record<string, unknown>>;
  /** For a list, the parameter is repeated; a text is sent unchanged. */
  readonly query?: string | Readonly<Record<string, unknown>>;
  /** A text is sent unchanged; anything else is sent as the operation takes it: as JSON or as a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The access token; null to send none. Default: a valid token. */
  readonly token?: string | null;
  readonly method?: string;
  /** The path and query to send, exactly as given. */
  readonly url?: string;
}

export interface Request {
  readonly method: string;
  /** The path, or the whole address of a page. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Reply {
  readonly status: number;
  /** The headers, with their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body. Undefined if the body is not JSON. */
  readonly body: unknown;
}

/** A server under test. */
export interface Door {
  /** Sends a request. Does not follow redirects. */
  send(request: Request): Promise<Reply>;
  readonly token: string;
  /** What the server has: see `things.ts`. A mock in its tests has `control`, the path of the environment in the control plane. */
  readonly things: Readonly<Record<string, unknown>>;
}

export const toRequest = (operationId: OperationId, call: SentCall, ownToken: string): Request => {
  const { path, method, definition } = loadContract().operation(operationId);
  const { token = definition.security ? null : ownToken, body } = call;
  const kind = mediaOf(definition.requestBody)?.kind ?? 'application/json';
  return {
    method: call.method ?? method.toUpperCase(),
    url: call.url ?? urlOf(path, call),
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': kind }),
      ...call.headers,
    },
    body: body === undefined ? undefined : toText(body, kind),
  };
};

const toText = (body: unknown, kind: string): string => {
  if (typeof body === 'string') return body;
  return kind === 'application/json' ? JSON.stringify(body) : String(new URLSearchParams(Object(body)));
};

const urlOf = (template: string, { path, query }: SentCall): string => {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path?.[name] ?? '')));
  const pairs = Object.entries(Object(query)).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  );
  const text = typeof query === 'string' ? query : String(new URLSearchParams(pairs));
  return text === '' ? filled : `${filled}?${text}`;
};

export const toReply = async (response: Response): Promise<Reply> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: parseJson(await response.text()),
});
