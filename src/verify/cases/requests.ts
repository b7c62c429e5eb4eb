/** How bodies and queries are read. */
import { type Case, group, inferred } from '../case.ts';
import { anAccount } from '../given.ts';
import { absent, aText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

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
  inferred('A lowerCamelCase parameter is held to the same limits', ['T3', 'I3'], (api) =>
    api.send({ url: `${LIST}?pageSize=101` }).isRefused('page_size'),
  ),
  inferred('An unknown query parameter is ignored', ['T2'], (api) =>
    api.send({ url: `${LIST}?colour=blue` }).succeeds(),
  ),
  inferred('All that is wrong with a request is said at once', ['T4', 'R1'], (api) =>
    api.list({ organization_id: 'not an id', page_size: 101 }).isRefused('organization_id', 'page_size'),
  ),
]);

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
];

export const REQUEST_CASES: readonly Case[] = [
  ...BODIES,
  ...EMPTY_BODY,
  ...CREDENTIALS,
  ...QUERIES,
  ...KEPT,
  ...STRICT_MODE,
];
