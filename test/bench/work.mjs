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

const request = (port, method, path, body, token = TOKEN) =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body ?? '',
  ].join('\r\n');

export const LIST = '/api/v1/connected_accounts';
const FILTERED = `${LIST}?connector=mail`;
export const EMULATE_LIST = '/v1/customers?limit=10';

/** A work that sends the same bytes every time. */
const same =
  (path, status = [200]) =>
  (port) => {
    const bytes = Buffer.from(request(port, 'GET', path));
    return { next: () => bytes, status };
  };

/** A list of emulate, which has another path, and which refuses a token after 5,000 calls. */
const listOfEmulate = (port) => {
  let asked = 0;
  let bytes;
  return {
    next: () => {
      if (asked % 4_000 === 0)
        bytes = Buffer.from(request(port, 'GET', EMULATE_LIST, undefined, `token-${nextSerial()}`));
      asked += 1;
      return bytes;
    },
    status: [200],
  };
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

/** A work that the job describes. With `isFirstTime`, its requests never repeat. */
const asGiven = (port, nth, { method = 'GET', path, body, status = [200], isFirstTime }) => {
  if (isFirstTime) return { ...firstTime(path)(port, nth), status };
  const bytes = Buffer.from(request(port, method, path, body));
  return { next: () => bytes, status };
};

export const WORK = {
  'as given': asGiven,
  list: same(LIST),
  'list of emulate': listOfEmulate,
  'list, first time': firstTime(LIST),
  filtered: same(FILTERED),
  'filtered, first time': firstTime(FILTERED),
  auth,
  create,
  'verify flow': verifyFlow,
};
