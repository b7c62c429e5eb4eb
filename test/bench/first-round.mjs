/**
 * Measures the CPU milliseconds that the server spends on the first environment, token, read, write, fault and journal read
 * after it said ready, and on a second round. Arguments: the built package, and `setup` (a runner's setup) or `start`
 * (the library, which does not warm up). A parent sends the calls, so that their cost does not count. Prints JSON.
 */
import { fork } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const [, self, dist, how] = process.argv;
const load = (file) => import(pathToFileURL(`${dist}/${file}`).href);

const serve = async () => {
  if (how === 'setup') await (await load('setup.js')).setupMock({ log: 'silent' });
  else process.env.CA_MOCK_URL = (await (await load('index.js')).startMock({ port: 0, log: 'silent' })).url;
  let before = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    process.send((user + system) / 1_000);
  });
  process.send(process.env.CA_MOCK_URL);
};

const next = (child) => new Promise((resolve) => child.once('message', resolve));

const issueToken = async (url, client) => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client });
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
  await response.text();
};

const round = async (url) => {
  const call = async (path, { token, method = 'POST', body } = {}) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
    };
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  const made = await call('/_mock/environments', { body: {} });
  const { name, access_token: token, client_id, client_secret } = made;
  await issueToken(url, { client_id, client_secret });
  await call('/api/v1/connected_accounts', { token, method: 'GET' });
  await call('/api/v1/connected_accounts', {
    token,
    body: { connector: 'mail', identifier: 'new@acme.test' },
  });
  await call(`/_mock/environments/${name}/faults`, { body: { operation: 'listConnections', status: 503 } });
  await call(`/_mock/environments/${name}/requests`, { method: 'GET' });
};

const measure = async () => {
  const child = fork(self, [dist, how], {
    env: { ...process.env, CA_MOCK_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = await next(child);
  const spent = [];
  child.send('begin');
  await next(child);
  for (let nth = 0; nth < 2; nth += 1) {
    await round(url);
    child.send('spent');
    spent.push(await next(child));
  }
  child.kill();
  console.log(JSON.stringify({ first: spent[0], second: spent[1] }));
};

await (process.send ? serve() : measure());
