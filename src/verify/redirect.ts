/** Deciding on an authorization link of a mock, without a browser. */
import type { Decision, Reply } from './call.ts';
import { exchange } from './client.ts';

/**
 * Opens the link, with a decision or as the hosted mode of its environment has it (behaviour V5).
 * @param link as `createMagicLink` gave it
 * @returns a reply whose body says where the user is sent: `location` without its query, and the `query`
 */
export const followLink = async (
  link: string,
  decision: Decision | undefined,
  timeout: number,
): Promise<Reply> => {
  const url = new URL(link);
  if (decision !== undefined) url.searchParams.set('decision', decision);
  const { status, headers } = await exchange(url.href, {}, timeout);
  if (headers.location === undefined) return { status, headers, body: {}, isOutside: true };
  const to = new URL(headers.location, link);
  return {
    status,
    headers,
    body: { location: to.origin + to.pathname, query: Object.fromEntries(to.searchParams) },
    isOutside: true,
  };
};
