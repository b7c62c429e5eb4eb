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

const ask = async (url, options) => {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  await response.text();
};

const round = async (mock) => {
  const env = await mock.createEnvironment();
  const { clientId: client_id, clientSecret: client_secret, accessToken } = env.credentials;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  await ask(`${mock.url}/oauth/token`, { method: 'POST', body });
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const account = JSON.stringify({ connector: 'mail', identifier: 'new@acme.test' });
  await ask(`${mock.url}/api/v1/connected_accounts`, { headers });
  await ask(`${mock.url}/api/v1/connected_accounts`, { method: 'POST', headers, body: account });
  await env.faults.add({ operation: 'listConnections', status: 503 });
  await env.requests();
};

const measure = async () => {
  const child = fork(self, [dist, how], {
    env: { ...process.env, CA_MOCK_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { connectMock } = await load('client.js');
  const mock = await connectMock(await next(child));
  const spent = [];
  child.send('begin');
  await next(child);
  for (let nth = 0; nth < 2; nth += 1) {
    await round(mock);
    child.send('spent');
    spent.push(await next(child));
  }
  child.kill();
  console.log(JSON.stringify({ first: spent[0], second: spent[1] }));
};

await (process.send ? serve() : measure());
