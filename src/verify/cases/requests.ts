/** How bodies and queries are read. */
import { type Case, group, inferred } from '../case.ts';
import { anAccount } from '../given.ts';
import { absent, aText } from '../pattern.ts';
import { SAMPLES, UNKNOWN } from '../samples.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const LIST = '/api/v1/connected_accounts';

const BODIES = group({ about: 'deleteConnectedAccount' }, [
  inferred('A body that is no JSON is refused', ['T4'], (api) =>
    api.send({ text: '{"id": ', headers: JSON_BODY }).isRefused(),
  ),
  inferred('A body of another media type is refused', ['T4'], (api) =>
    api.send({ text: 'id=ca_1', headers: { 'content-type': 'text/plain' } }).isRefused(),
  ),
  inferred('A body that is no object is refused', ['T4'], (api) =>
    api.send({ text: '[]', headers: JSON_BODY }).isRefused(),
  ),
  inferred('A member named __proto__ is refused anywhere in a body', ['T10'], (api) =>
    api
      .send({ text: `{"id":"${UNKNOWN.account}","api":{"__proto__":{"a":1}}}`, headers: JSON_BODY })
      .isRefused(),
  ),
  inferred('A missing token is said before a wrong body', ['T4'], (api) =>
    api.send({ token: null, text: '{', headers: JSON_BODY }).answers(401),
  ),
]);

const EMPTY_BODY = group({ about: 'verifyConnectedAccountUser' }, [
  inferred('A body of no length is an empty object, and validated as one', ['T5'], (api) =>
    api.send({ text: '' }).isRefused('auth_request_id'),
  ),
]);

const CREDENTIALS = group({ about: 'updateConnectedAccount' }, [
  inferred('A refusal never repeats a credential', ['R2'], (api) =>
    api
      .update(
        { id: UNKNOWN.account },
        { authorization_details: { oauth_token: { access_token: 4815162342 } } },
      )
      .answers(400, { body: { message: aText(/^(?!.*4815162342)/s) } }),
  ),
]);

const QUERIES = group({ about: 'listConnectedAccounts' }, [
  inferred('Reserved characters in a query value are taken as they are', ['T7'], (api) =>
    api.send({ url: `${LIST}?identifier=a@b:c,d*e'f/g` }).succeeds(),
  ),
  inferred('An empty query value counts as absent', ['T7'], (api) =>
    api.send({ url: `${LIST}?organization_id=&query=&page_size=` }).succeeds(),
  ),
  inferred('A query parameter may be written in lowerCamelCase', ['T3'], (api) =>
    api.send({ url: `${LIST}?pageSize=1&organizationId=org_1` }).succeeds(),
  ),
  inferred('A lowerCamelCase parameter has the same limits', ['T3', 'I3'], (api) =>
    api.send({ url: `${LIST}?pageSize=101` }).isRefused('page_size'),
  ),
  inferred('An unknown query parameter is ignored', ['T2'], (api) =>
    api.send({ url: `${LIST}?colour=blue` }).succeeds(),
  ),
  inferred('All that is wrong with a request is said at once', ['T4', 'R1'], (api) =>
    api.list({ organization_id: 'not an id', page_size: 101 }).isRefused('organization_id', 'page_size'),
  ),
  inferred('Filters that exclude each other are said together with the rest', ['R1', 'A1'], (api) =>
    api
      .list({ connector: 'one', connection_names: 'other', page_size: 101, page_token: 'none' })
      .isRefused('page_size', 'connection_names', 'page_token'),
  ),
  inferred('No message shows a regular expression', ['R1'], (api) =>
    api
      .list({ organization_id: 'not an id' })
      .answers(400, { body: { message: aText(/^[^^$\\]*$/) }, violates: ['organization_id'] }),
  ),
]);

/** What the services of callers send: Go without omitempty, Python with None, JSON-over-gRPC gateways. */
const SPELLINGS = [
  ...group({ about: 'deleteConnectedAccount' }, [
    inferred('A member that is null, or empty, counts as absent', ['T5'], async (api) => {
      await api.send({ body: { id: UNKNOWN.account, connector: null, user_id: '' } }).isMissing();
      await api.send({ body: { id: null, connector: 'mail', identifier: '' } }).isRefused('identifier');
    }),
  ]),
  ...group({ about: 'verifyConnectedAccountUser' }, [
    inferred('A required member that is null is missing', ['T5'], (api) =>
      api
        .send({ body: { auth_request_id: null, identifier: '' } })
        .isRefused('auth_request_id', 'identifier'),
    ),
    inferred('An auth_request_id may end in =', ['I2'], (api) =>
      api.verify(`${UNKNOWN.authRequest}==`, 'nobody').isMissing(),
    ),
  ]),
  ...group({ about: 'updateConnectedAccount' }, [
    inferred('Members in lowerCamelCase are read at any depth', ['T3'], (api) =>
      api
        .send({
          body: {
            id: UNKNOWN.account,
            connectedAccount: { authorizationDetails: { oauthToken: { accessToken: 7 } } },
          },
        })
        .isRefused('connected_account.authorization_details.oauth_token.access_token'),
    ),
  ]),
  ...group({ about: 'createMembership' }, [
    inferred('A boolean in a query may be written 1, t or True', ['T3'], async (api) => {
      for (const send_invitation_email of ['False', '1', 't'])
        await api.send({ ...SAMPLES.createMembership, query: { send_invitation_email } }).isMissing();
      await api
        .send({ ...SAMPLES.createMembership, query: { send_invitation_email: 'maybe' } })
        .isRefused('send_invitation_email');
    }),
    inferred('An inviter is an e-mail address by RFC 5322', ['X3'], async (api) => {
      for (const inviter_email of ['root@localhost', '"a b"@client.test', 'ada@[127.0.0.1]'])
        await api.send({ ...SAMPLES.createMembership, body: { inviter_email } }).isMissing();
      await api
        .send({ ...SAMPLES.createMembership, body: { inviter_email: 'a b@client.test' } })
        .isRefused('inviter_email');
    }),
  ]),
  ...group({ about: 'listConnectedAccounts' }, [
    inferred('An owner is named with or without a prefix', ['I2'], (api) =>
      api.list({ organization_id: 'acme-1', user_id: '42' }).succeeds({ total_size: 0 }),
    ),
    inferred('A list is searched by a text of one character too', ['I5'], (api) =>
      api.list({ query: 'a' }).succeeds(),
    ),
  ]),
];

const KEPT = [
  ...group({ about: 'createConnectedAccount', needs: ['write'] }, [
    inferred('Members named like those of a prototype are data like any other', ['T10'], (api) => {
      const api_config = { constructor: 'mine', toString: 'mine too' };
      return api.create(api.pair('OAUTH'), { api_config }).shows({ api_config });
    }),
  ]),
  ...group({ about: 'listConnectedAccounts', needs: ['write'] }, [
    inferred('A plus in a query value is a space', ['T7'], async (api) => {
      const identifier = `${api.unique} with spaces`;
      await api.obtain('createConnectedAccount', { body: { ...api.pair('API_KEY'), identifier } });
      await api
        .send({ url: `${LIST}?identifier=${identifier.replaceAll(' ', '+')}` })
        .succeeds({ total_size: 1 });
    }),
  ]),
  ...group({ about: 'updateConnectedAccount', needs: ['write'] }, [
    inferred('An unknown member of a body is ignored', ['T2'], async (api) => {
      const { id } = await anAccount(api, 'OAUTH');
      await api
        .send({ body: { id, colour: 'blue', connected_account: { colour: 'blue' } } })
        .shows({ colour: absent });
    }),
  ]),
];

const STRICT = { 'x-mock-strict': '1' };

const STRICT_MODE = [
  ...group({ about: 'listConnectedAccounts', needs: ['control'] }, [
    inferred('In strict mode an unknown query parameter is refused by name', ['T2'], (api) =>
      api.send({ url: `${LIST}?conector=mail`, headers: STRICT }).isRefused('conector'),
    ),
  ]),
  ...group({ about: 'deleteConnectedAccount', needs: ['control'] }, [
    inferred('In strict mode an unknown member of a body is refused by name', ['T2'], (api) =>
      api.send({ body: { id: UNKNOWN.account, identifer: 'ada' }, headers: STRICT }).isRefused('identifer'),
    ),
  ]),
  ...group({ about: 'updateConnectedAccount', needs: ['control'] }, [
    inferred('In strict mode credentials in the wrong place are refused by name', ['T2'], async (api) => {
      const oauth_token = { access_token: 'canary-access-token' };
      const id = UNKNOWN.account;
      await api
        .send({ body: { id, authorization_details: { oauth_token } }, headers: STRICT })
        .isRefused('authorization_details');
      await api
        .send({ body: { id, connected_account: { oauth_token } }, headers: STRICT })
        .isRefused('connected_account.oauth_token');
    }),
  ]),
];

export const REQUEST_CASES: readonly Case[] = [
  BODIES,
  EMPTY_BODY,
  CREDENTIALS,
  QUERIES,
  SPELLINGS,
  KEPT,
  STRICT_MODE,
].flat();
