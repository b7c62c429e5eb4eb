/** The small commented scenario that `ca-mock init` writes. */
import { parse } from 'yaml';

/** The text of a new scenario file: JSON without comments for a `.json` file, YAML for any other. */
export const initScenario = (file: string): string =>
  file.toLowerCase().endsWith('.json') ? `${JSON.stringify(parse(COMMENTED), null, 2)}\n` : COMMENTED;

const COMMENTED = `# yaml-language-server: $schema=./node_modules/connected-accounts-mock/fixtures/scenario.schema.json
# A scenario of the connected accounts mock: the data that the mock holds when it starts.
# Put this file in your repository as ca-mock.yaml; \`ca-mock\` finds it there. \`ca-mock validate\` checks it.
description: My application

# extends: default        # start from a scenario that comes with the mock, and change rows by their id or name
# clock: 2026-01-15T09:30:00Z        # freeze the clock at this time

environments:
  development:
    clients:
      - { client_id: dev-client, client_secret: dev-secret }
    access_tokens: [dev-token] # a token that never expires, for quick calls with curl

    # settings: { hosted: approve, magic_link_ttl: 5m }

    organizations:
      - { name: acme, display_name: Acme Corporation }

    users:
      - email: ada@acme.test
        memberships:
          - { organization_id: acme }
      - email: grace@acme.test
        memberships:
          - { organization_id: acme, membership_status: PENDING_INVITE }

    # An account belongs to a connection, and names it by its key_id.
    connections:
      - { key_id: mail, type: OAUTH, scopes: [mail.read] }
      - { key_id: crm, type: API_KEY }

    # The mock makes up what you leave out: ids, credentials, times. Times may be relative to the start: -3d, +15m, never.
    connected_accounts:
      - { connector: mail, identifier: ada@acme.test, organization_id: acme, status: ACTIVE }
      - { connector: mail, identifier: grace@acme.test, organization_id: acme, status: EXPIRED, token_expires_at: -1h }
      - { repeat: 20, connector: crm, identifier: 'customer-{n}@acme.test', status: ACTIVE }
`;
