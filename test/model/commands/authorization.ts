/** Commands on links, their pages and verification. */
import fc from 'fast-check';
import * as authorization from '../model/authorization.ts';
import type { Foreseen } from '../model/world.ts';
import { type Run, settle } from '../run.ts';
import type { Twins } from '../twins.ts';
import { addressOf, named, nameOf, toWire } from './accounts.ts';
import { type Command, choose, command, isChosen, remember } from './command.ts';

const APP = 'https://app.acme.test/return?kept=1';

const makeLink: fc.Arbitrary<Command> = fc
  .record({
    one: named,
    organization: fc.constantFrom(...new Array<undefined>(6).fill(undefined), 'org_acme', 'org_nobody'),
    returns: fc.constantFrom(true, true, false),
  })
  .map(({ one, organization, returns }) =>
    command(
      `link for ${nameOf(one)} of ${organization}, ${returns ? 'returning' : 'not returning'}`,
      async (run, twins) => {
        const address = addressOf(run, one, organization);
        const foreseen = authorization.makeLink(run.model, address, returns);
        const body = { ...toWire(address), state: 's&=', ...(returns && { user_verify_url: APP }) };
        const answer = await twins.call({
          method: 'POST',
          path: '/api/v1/connected_accounts/magic_link',
          body,
        });
        const token = tokenOf(answer.body?.link);
        const before = run.model.accounts.length;
        settle(run, foreseen, answer, { token, id: PENDING });
        if (answer.status === 200) remember(run.seen.links, token);
        if (run.model.accounts.length === before) return foreseen;
        // The link made an account: its id is learned from the list.
        const listed = await twins.call({ method: 'GET', path: '/api/v1/connected_accounts?page_size=100' });
        const { id } = listed.body.connected_accounts.at(-1);
        const isNew = <Row extends { readonly account: string }>(row: Row): Row =>
          row.account === PENDING ? { ...row, account: id } : row;
        run.model = {
          ...run.model,
          accounts: run.model.accounts.map((account) =>
            account.id === PENDING ? { ...account, id } : account,
          ),
          links: Object.fromEntries(Object.entries(run.model.links).map(([key, link]) => [key, isNew(link)])),
        };
        remember(run.seen.accounts, id);
        return foreseen;
      },
    ),
  );

const PENDING = 'ca_not_known_yet';

const tokenOf = (link: string | undefined): string => link?.split('/').at(-1) ?? '';

const hasLink =
  (pick: number) =>
  ({ model }: Run): boolean =>
    isChosen(Object.keys(model.links), pick);

/** Ways to decide: by the control plane, by a visit of the link, or by posting its page. */
const WAYS = {
  control: (twins: Twins, token: string, decided: string) =>
    twins.control('POST', `/links/${token}/${decided}`),
  visit: (twins: Twins, token: string, decided: string) =>
    twins.call({ method: 'GET', path: `/magicLink/${token}?decision=${decided}`, token: null }),
  post: (twins: Twins, token: string, decided: string) =>
    twins.call({
      method: 'POST',
      path: `/magicLink/${token}`,
      raw: form(`decision=${decided}`),
      token: null,
    }),
};
type Way = keyof typeof WAYS;
const ways = fc.constantFrom<Way>('control', 'visit', 'post');
const decision = fc.constantFrom('approve', 'approve', 'approve', 'deny');

const decideLink: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat({ max: 60 }), decision, way: ways })
  .map(({ pick, decision: decided, way }) =>
    command(
      `${decided} link ${pick} by ${way}`,
      async (run, twins) => {
        const token = choose(Object.keys(run.model.links), run.seen.links, pick, 'unknown-token');
        const isRepeated =
          way === 'post' && decided === 'approve' && authorization.isRepeated(run.model, token);
        const foreseen = isRepeated
          ? { status: 200, request: true }
          : authorization.decide(run.model, token, decided);
        const answer = await WAYS[way](twins, token, decided);
        const url: string = way === 'control' ? (answer.body?.redirect_url ?? '') : answer.location;
        const id = URL.canParse(url) ? (new URL(url).searchParams.get('auth_request_id') ?? '') : '';
        if (id) remember(run.seen.requests, id);
        if (foreseen.request && !id) throw new Error(`No auth_request_id in ${url}`);
        settle(run, asPage(foreseen, way), answer, { token: id });
        requireReturn(url);
        return foreseen;
      },
      hasLink(pick),
    ),
  );

const form = (text: string) => ({ type: 'application/x-www-form-urlencoded', text });

/** A page redirects where the control plane answers 200. */
const asPage = (foreseen: Foreseen, way: Way): Foreseen =>
  way === 'control' || foreseen.status !== 200 ? foreseen : { ...foreseen, status: 302 };

/** Behaviour V3: the rest of the address is kept, and the state is given back as it was. */
const requireReturn = (url: string): void => {
  if (!url.startsWith('https://app.acme.test/')) return;
  const { searchParams } = new URL(url);
  if (searchParams.get('kept') !== '1' || searchParams.get('state') !== 's&=')
    throw new Error(`The way back lost something: ${url}`);
};

const viewLink: fc.Arbitrary<Command> = fc.nat({ max: 60 }).map((pick) =>
  command(
    `look at link ${pick}`,
    async (run, twins) => {
      const token = choose(Object.keys(run.model.links), run.seen.links, pick, 'unknown-token');
      const foreseen = { status: authorization.linkPage(run.model, token) };
      settle(run, foreseen, await twins.call({ method: 'GET', path: `/magicLink/${token}`, token: null }));
      return foreseen;
    },
    hasLink(pick),
  ),
);

const verifyUser: fc.Arbitrary<Command> = fc
  .record({ pick: fc.nat({ max: 60 }), isRight: fc.constantFrom(true, true, false) })
  .map(({ pick, isRight }) =>
    command(
      `verify request ${pick} with the ${isRight ? 'right' : 'wrong'} identifier`,
      async (run, twins) => {
        const id = choose(Object.keys(run.model.requests), run.seen.requests, pick, 'unknown-request');
        const account = run.model.accounts.find((one) => one.id === run.model.requests[id]?.account);
        const identifier = isRight && account ? account.identifier : 'somebody@else.test';
        const body = { auth_request_id: id, identifier };
        const answer = await twins.call({
          method: 'POST',
          path: '/api/v1/connected_accounts/user/verify',
          body,
        });
        const foreseen = authorization.verify(run.model, id, identifier);
        settle(run, foreseen, answer);
        return foreseen;
      },
      ({ model }) => isChosen(Object.keys(model.requests), pick),
    ),
  );

export const AUTHORIZATION_COMMANDS = [makeLink, decideLink, viewLink, verifyUser];
