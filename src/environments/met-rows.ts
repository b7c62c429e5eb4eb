/** Which rows a call met, by their ids. */

interface Call {
  readonly operation?: string | undefined;
  readonly url: string;
  readonly status: number;
  readonly request_body?: string | undefined;
  readonly response_body?: string | undefined;
}

const ID = /\b(?:ca|usr|org)_\w+/g;
/** A request names rows; a reply shows them with their own ids, and others by members such as `user_id`. */
const NAMED = /"(?:id|user_id|organization_id|userId|organizationId)":\s*"((?:ca|usr|org)_\w+)"/g;
const SHOWN = /"id":"((?:ca|usr|org)_\w+)"/g;
const MEMBERSHIP = /organizations\/(org_\w+)\/users\/(usr_\w+)/;

/** Lists meet no row in particular; refusals meet those that the request names. */
const meetsMany = (operation = ''): boolean => /^(?:list|search)/.test(operation);

const groups = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([whole, id]) => id ?? whole);

/** Ids of accounts, users and organizations, and `ORGANIZATION/USER` for a membership. */
export const metRows = (call: Call): string[] => {
  const { operation, url, request_body = '', response_body = '', status } = call;
  if (meetsMany(operation)) return [];
  const [, organization, user] = MEMBERSHIP.exec(url) ?? [];
  return [
    ...new Set([
      ...groups(url, ID),
      ...groups(request_body, NAMED),
      ...(status < 400 ? groups(response_body, SHOWN) : []),
      ...(organization && user ? [`${organization}/${user}`] : []),
    ]),
  ];
};
