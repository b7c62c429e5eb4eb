/** Methods of an environment in groups: `env.faults`, `env.accounts`, `env.links`, `env.memberships`. One call each. */
import { type Ask, requireText, segment } from './ask.ts';
import type { Account, Approval, Decision, Denial, Fault, FaultRule, Membership } from './published-types.ts';
import { refuseArguments } from './unknown-names.ts';

/** What the methods of an environment have in common. */
export class Calls {
  /** The id of the environment, unique on the server. */
  readonly id: string;
  /** @internal */
  protected readonly ask: Ask;
  /** @internal */
  protected readonly at: string;

  constructor(ask: Ask, id: string) {
    this.ask = ask;
    this.id = id;
    this.at = `/environments/${id}`;
  }
}

export class FaultsCalls extends Calls {
  /** All faults, with how often each took effect. */
  async list(): Promise<readonly Fault[]> {
    return (await this.ask<'listFaults'>('GET', `${this.at}/faults`)).faults;
  }

  /** Makes calls fail or wait, or cuts their connections. An environment can have up to 1,000 faults, not counting those that are used up. */
  async add(fault: FaultRule): Promise<Fault> {
    return this.ask<'addFault'>('POST', `${this.at}/faults`, { body: fault });
  }

  /** Deletes a fault. */
  async remove(id: string): Promise<void> {
    await this.ask<'deleteFaults'>('DELETE', `${this.at}/faults`, { query: { id: requireText('id', id) } });
  }

  /** Deletes all faults. */
  async clear(): Promise<void> {
    await this.ask<'deleteFaults'>('DELETE', `${this.at}/faults`);
  }
}

refuseArguments(FaultsCalls, 'list clear');

/** What users and providers do to an account, which is given by its id, or by its connector and identifier: `mail/ada@acme.test`. */
export class AccountsCalls extends Calls {
  /** Expires the account's token now. The token is not refreshed until `grant`, new credentials or consent. */
  async expire(account: string): Promise<Account> {
    return this.#act('expire', account);
  }

  /** The user disconnects the account. */
  async disconnect(account: string): Promise<Account> {
    return this.#act('disconnect', account);
  }

  /** The provider stops refreshing the account's token. */
  async revoke(account: string): Promise<Account> {
    return this.#act('revoke', account);
  }

  /** The provider refreshes the account's token again. */
  async grant(account: string): Promise<Account> {
    return this.#act('grant', account);
  }

  async #act(action: string, account: string): Promise<Account> {
    const path = `${this.at}/connected_accounts/${segment('account', account)}/${action}`;
    return (await this.ask<'actOnAccount'>('POST', path)).connected_account as Account;
  }
}

/** What users decide on the page of an authorization link, which is given by its address, or by the token at its end. */
export class LinksCalls extends Calls {
  /** Consents, as a click on Approve on the page does: to all that the page asks for, or to the scopes that are given. */
  async approve(link: string | URL, decision: Approval = {}): Promise<Decision> {
    return this.#decide('approve', link, decision);
  }

  /** Refuses, as a click on Deny on the page does, or fails with another error of the provider. */
  async deny(link: string | URL, decision: Denial = {}): Promise<Decision> {
    return this.#decide('deny', link, decision);
  }

  async #decide(choice: string, link: string | URL, body: Approval & Denial): Promise<Decision> {
    return this.ask<'decideLink'>('POST', `${this.at}/links/${segment('link', link)}/${choice}`, { body });
  }
}

/** What happens to a member of an organization. An organization is given by its id or name, a user by id or e-mail address. */
export class MembershipsCalls extends Calls {
  /** Accepts the invitation, as the user does on its page. */
  async accept(organization: string, user: string): Promise<Membership> {
    return this.#act('accept', organization, user);
  }

  /** Expires a pending invitation now. */
  async expire(organization: string, user: string): Promise<Membership> {
    return this.#act('expire', organization, user);
  }

  /** Deactivates the member. */
  async deactivate(organization: string, user: string): Promise<Membership> {
    return this.#act('deactivate', organization, user);
  }

  /** Activates the member again. */
  async activate(organization: string, user: string): Promise<Membership> {
    return this.#act('activate', organization, user);
  }

  async #act(action: string, organization: string, user: string): Promise<Membership> {
    const member = `${segment('organization', organization)}/${segment('user', user)}`;
    const reply = await this.ask<'actOnMembership'>('POST', `${this.at}/memberships/${member}/${action}`);
    return reply.membership as Membership;
  }
}
