/** The answer to a decision on an authorization link, and where it sends the user (behaviour V2-V4). */

import { absolute } from '../core/moment.ts';
import { type FoundLink, findLink, useLink } from '../domain/authorization.ts';
import type { Effects, Env } from '../domain/operation.ts';
import type { LinkRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';

/** The input of every decision. */
export interface LinkInput {
  /** The token as it stands in the link's address. */
  readonly token: string;
}

/** Where the user goes next; or, if the link is not open, why nothing happened. */
export type LinkReply =
  | { readonly outcome: 'redirect'; readonly redirect_url: string; readonly auth_request_id?: string }
  | { readonly outcome: 'refused'; readonly linkState: Exclude<FoundLink['linkState'], 'open'> };

type OpenLink = Extract<FoundLink, { readonly linkState: 'open' }>;

/** Decides on an open link and marks it as used. For any other link, the reply gives the reason and nothing changes. */
export const decideOpen = <Reply extends { readonly outcome: string }>(
  state: State,
  { token }: LinkInput,
  env: Env,
  decide: (used: State, found: OpenLink) => { readonly reply: Reply } & Effects,
): { readonly reply: Reply | Extract<LinkReply, { outcome: 'refused' }> } & Effects => {
  const found = findLink(state, token, env);
  if (found.linkState !== 'open') return { reply: { outcome: 'refused', linkState: found.linkState } };
  return decide(useLink(state, found.link, absolute(env.now)), found);
};

/**
 * The client application's address, with these values and the link's `state` added to its query (behaviour V3).
 * `undefined` if the link has no such address.
 */
export const verifyUrl = (
  { user_verify_url, state }: LinkRow,
  added: Readonly<Record<string, string>>,
): string | undefined => {
  if (user_verify_url === undefined) return undefined;
  const url = new URL(user_verify_url);
  const query = new URLSearchParams({ ...added, ...(state !== undefined && { state }) }).toString();
  // Not with `url.searchParams`, which would rewrite the whole query.
  if (query) url.search = url.search ? `${url.search}&${query}` : query;
  return url.href;
};
