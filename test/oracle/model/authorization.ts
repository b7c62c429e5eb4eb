/** Links, consent and verification as behaviour V1 to V6 describe them. */
import { type Address, connectorOf, endRequests, find, open } from './accounts.ts';
import { type Account, hasEnded, TTL, type World } from './world.ts';

/** Behaviour V1, V2, V4: makes a link, and the account if it is missing. @param id the id of such a new account */
export const makeLink = (
  world: World,
  address: Address,
  returns: boolean,
  token: string,
  id: string,
): number => {
  const found = find(world, address);
  if (address.id !== undefined && !found) return 404;
  const connector = connectorOf(found?.connector ?? address.connector);
  if (!connector || !['OAUTH', 'API_KEY'].includes(connector.type)) return 400;
  // The account exists, but belongs to another organization than the given one.
  if (!found && find(world, { ...address, organization_id: undefined })) return 404;
  if (connector.enabled === false) return 403;
  if (!found) open(world, address, id);
  world.links[token] = { account: found?.id ?? id, end: world.now + TTL.link, used: false, returns };
  return 200;
};

/** The status of a link's page: 200 if the link is open, 410 if it is used or has ended, 404 if it is unknown. */
export const linkPage = (world: World, token: string): 200 | 404 | 410 => {
  const link = world.links[token];
  if (!link) return 404;
  return link.used || hasEnded(link.end, world) ? 410 : 200;
};

/** Behaviour V3: the open request of an approved link, to which the same approval leads again. */
export const openRequest = (world: World, token: string): string | undefined => {
  const id = world.links[token]?.request;
  const request = id === undefined ? undefined : world.requests[id];
  return request && !hasEnded(request.end, world) ? id : undefined;
};

/**
 * Decides on a link.
 * @param id of the request to which the answer leads, or an empty text
 */
export const decide = (world: World, token: string, decision: string, id: string): number => {
  const status = linkPage(world, token);
  const link = world.links[token];
  const account = link && find(world, { id: link.account });
  if (status !== 200 || !account) return status;
  link.used = true;
  if (decision === 'deny') return 200;
  const isForm = connectorOf(account.connector)?.type === 'API_KEY';
  if (isForm) activate(world, account, { held: 'fixed', end: undefined });
  else if (!link.returns) activate(world, account, { held: 'refreshable', end: world.now + TTL.token });
  else {
    if (id === '') throw new Error('The redirect must name a request.');
    link.request = id;
    const [end, tokenEnd] = [world.now + TTL.request, world.now + TTL.token];
    world.requests[id] = { account: account.id, end, tokenEnd };
  }
  return 200;
};

const activate = (world: World, account: Account, live: Partial<Account>): void => {
  Object.assign(account, live, { standing: 'ACTIVE', grants: true });
  endRequests(world, account.id);
};

/** Behaviour V6: the check for 404 comes before 403, and a wrong identifier leaves the request open. */
export const verify = (world: World, id: string, identifier: string): number => {
  const request = world.requests[id];
  const account = request && find(world, { id: request.account });
  if (!account || hasEnded(request.end, world)) return 404;
  if (account.identifier !== identifier) return 403;
  activate(world, account, { held: 'refreshable', end: request.tokenEnd });
  return 200;
};
