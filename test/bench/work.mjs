/** The requests to the servers, as prepared bytes. */

export const TOKEN = 'dev-token';
/** The number of accounts in the scenario: `person-1@acme.test` and so on, of the connector `mail`. */
export const ACCOUNTS = 10_000;
export const LIST = '/api/v1/connected_accounts';
export const AUTH = `${LIST}/auth?connector=mail&identifier=person-`;

const request = (port, method, path, body) =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${TOKEN}`,
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body ?? '',
  ].join('\r\n');

/** Counts over all rounds of this process, so that no query and no account repeats. */
let serial = process.pid * 100_000;
const nextSerial = () => {
  serial += 1;
  return serial;
};

const connected_account = {
  authorization_details: { oauth_token: { access_token: 'at-1', refresh_token: 'rt-1' } },
};

/** The verify flow, each request made from the reply before: create, link, approve, verify, credentials. */
const FLOW = [
  (port, identifier) => request(port, 'POST', LIST, JSON.stringify({ connector: 'mail', identifier })),
  (port, identifier) => {
    const link = { connector: 'mail', identifier, user_verify_url: 'http://127.0.0.1:9/verified' };
    return request(port, 'POST', `${LIST}/magic_link`, JSON.stringify(link));
  },
  (port, _identifier, reply) => {
    const [, path] = /"link":"https?:\/\/[^/]+([^"]+)"/.exec(reply) ?? [];
    return request(port, 'GET', `${path}?decision=approve`);
  },
  (port, identifier, reply) => {
    const [, auth_request_id] = /auth_request_id=([\w-]+)/.exec(reply) ?? [];
    return request(port, 'POST', `${LIST}/user/verify`, JSON.stringify({ auth_request_id, identifier }));
  },
  (port, identifier) =>
    request(port, 'GET', `${LIST}/auth?connector=mail&identifier=${encodeURIComponent(identifier)}`),
];

/** For each work: its status (or its statuses), and a function that makes the next request of a connection. */
export const WORK = {
  list: { status: 200, begin: (port) => () => request(port, 'GET', LIST) },
  /** Never the same: a parameter that the contract does not have is ignored. */
  'list, first time': {
    status: 200,
    begin: (port) => () => request(port, 'GET', `${LIST}?nth=${nextSerial()}`),
  },
  /** Each connection begins with a person of its own, in every round. */
  auth: {
    status: 200,
    begin: (port, nth) => {
      let person = nth * 997;
      return () => {
        person = (person + 1) % ACCOUNTS;
        return request(port, 'GET', `${AUTH}${person + 1}%40acme.test`);
      };
    },
  },
  create: {
    status: 201,
    begin: (port) => () => {
      const identifier = `new-${nextSerial()}@acme.test`;
      const body = JSON.stringify({ connector: 'mail', identifier, connected_account });
      return request(port, 'POST', LIST, body);
    },
  },
  'verify flow': {
    status: [200, 201, 302],
    begin: (port) => {
      let step = -1;
      let identifier;
      return (reply) => {
        step = (step + 1) % FLOW.length;
        if (step === 0) identifier = `flow-${nextSerial()}@acme.test`;
        return FLOW[step](port, identifier, String(reply));
      };
    },
  },
  reset: {
    status: 200,
    begin: (port) => () => request(port, 'POST', '/_mock/environments/development/reset', '{}'),
  },
};
