/**
 * What this API does, as one value: the engine reads nothing else of the service. If an operation of the contract is
 * missing, this file does not compile.
 */
import { getRow, rowsBy } from '../engine/core/table.ts';
import { defineService, type Service } from '../engine/service.ts';
import { STUB_VIEW } from '../engine/stubs/stub-section.ts';
import * as accounts from './accounts/operations.ts';
import { LIVE_ACCOUNT } from './accounts/scenario.ts';
import * as checks from './checks/generated.ts';
import * as connections from './connections.ts';
import type { OperationId } from './contract.ts';
import { controlHandlers } from './control.ts';
import { organizationView, userView } from './directory.ts';
import { loadContract, readContractText } from './document.ts';
import { OWN_CODES, presentError } from './errors.ts';
import * as linksOutside from './links/actions.ts';
import * as links from './links/operations.ts';
import { NOTICES, visitLink } from './links/page.ts';
import * as logs from './logs.ts';
import * as membershipsOutside from './memberships/actions.ts';
import * as memberships from './memberships/operations.ts';
import * as providers from './providers.ts';
import { REFERENCES, sections } from './sections.ts';
import { settings } from './settings.ts';
import { emptyState } from './state.ts';
import * as tokens from './tokens.ts';
import type { Operation } from './types.ts';

/** Every operation by its operationId. What else these files export is never looked up. */
const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  ...tokens,
  ...accounts,
  ...links,
  ...connections,
  ...providers,
  ...memberships,
  ...logs,
};

export const service = defineService({
  contract: loadContract(),
  contractText: readContractText,
  prefixes: ['ca', 'org', 'usr', 'usp', 'conn', 'role', 'env', 'prv'],
  operations,
  tokenOperation: 'issueToken',
  errorCodes: OWN_CODES,
  presentError,
  emptyState,
  sections,
  references: REFERENCES,
  scenarioChecks: checks as unknown as Service['scenarioChecks'], // made without types
  settings,
  actions: {
    connected_accounts: [...linksOutside.accountLinkActions, ...accounts.accountActions],
    memberships: membershipsOutside.membershipActions,
    connections: connections.connectionActions,
    authorization_links: linksOutside.linkActions,
    verification_requests: linksOutside.requestActions,
  },
  views: {
    users: userView,
    memberships: membershipsOutside.membershipView,
    organizations: organizationView,
    roles: membershipsOutside.roleView,
    emails: membershipsOutside.emailView,
    authentication_requests: logs.signInView,
    connected_accounts: accounts.accountView,
    connections: connections.connectionView,
    custom_providers: providers.providerView,
    authorization_links: linksOutside.linkView,
    verification_requests: linksOutside.requestView,
    stubs: STUB_VIEW,
  },
  live: LIVE_ACCOUNT,
  pagePaths: ['/magicLink', '/invitations', '/connect'],
  pages: {
    tokenPages: [
      {
        path: '/magicLink',
        isKnown: ({ authorization_links }, token) => getRow(authorization_links, token) !== undefined,
        visit: visitLink,
        unknown: NOTICES['link-unknown'],
      },
      {
        path: '/invitations',
        isKnown: ({ memberships }, token) => rowsBy(memberships, 'invite_token', token).length > 0,
        visit: membershipsOutside.visitInvitation,
        unknown: membershipsOutside.INVITATION_NOTICES.unknown,
      },
    ],
    notices: {
      '/connect/success': NOTICES['connect-success'],
      '/connect/denied': NOTICES['connect-denied'],
    },
  },
  controlHandlers,
});
