/** Makes the requests to the servers, as prepared bytes. Each function below makes the requests of one connection. */

export const TOKEN = 'dev-token';
/** The number of accounts in the scenario: `person-1@acme.test` and so on, of the connector `mail`. */
export const ACCOUNTS = 10_000;

/** Counts requests over all rounds of this process, so that no query and no account repeats. */
let serial = process.pid * 100_000;
const nextSerial = () => {
  serial += 1;
  return serial;
};

const request = (port, method, path, body) =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${TOKEN}`,
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body ?? '',
  ].join('\r\n');

export const LIST = '/api/v1/connected_accounts';

/** A work that sends the same bytes every time. */
const same =
  (path, status = [200]) =>
  (port) => {
    const bytes = Buffer.from(request(port, 'GET', path));
    return { next: () => bytes, status };
  };

/**
 * A work whose requests never repeat: a parameter that the contract does not have is ignored, but makes each request
 * different.
 */
const firstTime = (path) => (port) => {
  const glue = path.includes('?') ? '&' : '?';
  return { next: () => request(port, 'GET', `${path}${glue}nth=${nextSerial()}`), status: [200] };
};

const credentials = { oauth_token: { access_token: 'at-1', refresh_token: 'rt-1' } };

const create = (port) => ({
  next: () => {
    const identifier = `new-${nextSerial()}@acme.test`;
    const connected_account = { authorization_details: credentials };
    return request(port, 'POST', LIST, JSON.stringify({ connector: 'mail', identifier, connected_account }));
  },
  status: [201],
});

const auth = (port, nth) => {
  let person = nth * 997;
  return {
    next: () => {
      person = (person + 1) % ACCOUNTS;
      return request(port, 'GET', `${LIST}/auth?connector=mail&identifier=person-${person + 1}%40acme.test`);
    },
    status: [200],
  };
};

/** The verify flow in five requests, each made from earlier answers: create, link, approve, verify, credentials. */
const verifyFlow = (port) => {
  let step = 0;
  let identifier;
  const steps = [
    () => {
      identifier = `flow-${nextSerial()}@acme.test`;
      return request(port, 'POST', LIST, JSON.stringify({ connector: 'mail', identifier }));
    },
    () => {
      const link = {
        connector: 'mail',
        identifier,
        user_verify_url: 'http://127.0.0.1:9/verified',
        state: 's',
      };
      return request(port, 'POST', `${LIST}/magic_link`, JSON.stringify(link));
    },
    ({ text }) => {
      const path = /"link":"https?:\/\/[^/]+([^"]+)"/.exec(text)?.[1];
      return request(port, 'GET', `${path}?decision=approve`);
    },
    ({ text }) => {
      const auth_request_id = /auth_request_id=([\w-]+)/.exec(text)?.[1];
      return request(port, 'POST', `${LIST}/user/verify`, JSON.stringify({ auth_request_id, identifier }));
    },
    () => request(port, 'GET', `${LIST}/auth?connector=mail&identifier=${encodeURIComponent(identifier)}`),
  ];
  return {
    next: (reply) => {
      const make = steps[step % steps.length];
      step += 1;
      return make(reply ?? {});
    },
    status: [200, 201, 302],
    readsBody: true,
  };
};

export const WORK = {
  list: same(LIST),
  'list, first time': firstTime(LIST),
  auth,
  create,
  'verify flow': verifyFlow,
};
