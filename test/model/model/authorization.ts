/** Links, consent and verification as behaviour V1 to V6 have them. */
import { type Address, connectorOf, endRequests, find, opened, replace } from './accounts.ts';
import { type Account, type Foreseen, hasEnded, type Link, type Model, TTL } from './world.ts';

const BAD: Foreseen = { status: 400 };
const NOT_FOUND: Foreseen = { status: 404 };

/** Behaviour V1, V2, V4: a pair without an account gets one. */
export const makeLink = (model: Model, address: Address, returns: boolean): Foreseen => {
  if (model.settings.strictVerification && !returns) return BAD;
  const found = find(model, address);
  const name = 'id' in address ? found?.connector : address.connector;
  const connector = name === undefined ? undefined : connectorOf(name);
  if ('id' in address ? !found : false) return NOT_FOUND;
  if (!connector || connector.standing === 'sign-in' || !hasPage(connector.kind)) return BAD;
  const existing = 'id' in address ? found : find(model, { ...address, organization: undefined });
  if (existing && !found) return NOT_FOUND; // it belongs to another organization than the one named
  if (connector.standing === 'disabled') return { status: 403 };
  const link = (account: string): Link => ({ account, end: model.now + TTL.link, used: false, returns });
  return {
    status: 200,
    next: ({ id, token }) => ({
      ...model,
      accounts:
        existing || 'id' in address
          ? model.accounts
          : [...model.accounts, opened(id, address.connector, address)],
      links: { ...model.links, [token]: link(existing?.id ?? id) },
    }),
  };
};

const hasPage = (kind: string): boolean => kind === 'oauth' || kind === 'static';

/** What the page of a link is: open, gone for good, or unknown. */
export const linkPage = (model: Model, token: string): 200 | 404 | 410 => {
  const link = model.links[token];
  if (!link) return 404;
  return link.used || hasEnded(link.end, model) ? 410 : 200;
};

/** A decision on an open link; any other changes nothing. @returns what follows, `request` if verification is next */
export const decide = (
  model: Model,
  token: string,
  decision: 'approve' | 'deny',
): Foreseen & { readonly request?: boolean } => {
  const link = model.links[token];
  const page = linkPage(model, token);
  const account = link && find(model, { id: link.account });
  if (page !== 200 || !link || !account) return { status: page };
  const used: Model = { ...model, links: { ...model.links, [token]: { ...link, used: true } } };
  if (decision === 'deny') return { status: 200, next: () => used };
  const isForm = connectorOf(account.connector)?.kind === 'static';
  if (!isForm && link.returns) {
    const request = { account: account.id, end: model.now + TTL.request, tokenEnd: model.now + TTL.token };
    const next = (id: string): Model => ({
      ...used,
      links: { ...used.links, [token]: { ...link, used: true, request: id } },
      requests: { ...used.requests, [id]: request },
    });
    return { status: 200, request: true, next: (answer) => next(answer.token) };
  }
  const live: Partial<Account> = isForm
    ? { held: 'fixed', end: undefined }
    : { held: 'refreshable', end: model.now + TTL.token };
  return { status: 200, next: () => activate(used, account, live) };
};

/** Behaviour V3: the same approval posted again, while its request is open, leads to the same place. */
export const isRepeated = (model: Model, token: string): boolean => {
  const link = model.links[token];
  const request = link?.request === undefined ? undefined : model.requests[link.request];
  return request !== undefined && !hasEnded(request.end, model);
};

/** A state that was exported and put back knows no more which link opened which request. */
export const forgetLinks = (model: Model): Model => ({
  ...model,
  links: Object.fromEntries(
    Object.entries(model.links).map(([token, { request: _, ...link }]) => [token, link]),
  ),
});

const activate = (model: Model, account: Account, live: Partial<Account>): Model =>
  endRequests(replace(model, { ...account, ...live, standing: 'ACTIVE', grants: true }), account.id);

/** Behaviour V6: 404 before 403, and a mismatch leaves the request open. */
export const verify = (model: Model, requestId: string, identifier: string): Foreseen => {
  const request = model.requests[requestId];
  const account = request && find(model, { id: request.account });
  if (!account || hasEnded(request.end, model)) return NOT_FOUND;
  if (account.identifier !== identifier) return { status: 403 };
  return {
    status: 200,
    next: () => activate(model, account, { held: 'refreshable', end: request.tokenEnd }),
  };
};
