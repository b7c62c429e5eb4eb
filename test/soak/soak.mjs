/**
 * Mixed load on the built server for as long as is wanted: reads and writes in several environments, resets, clock
 * moves, snapshots, and environments that come and go; beside them clients that break off whatever they began: calls,
 * calls in one write, tunnels, event streams and large bodies, over HTTP/1.1 and HTTP/2. Its memory must stay flat, and no
 * call may fail. With a folder to save in, the environments that are left at the end must be there after a restart; to see
 * what a full disk does, give one on a small file system, and fill and empty it meanwhile.
 *
 *   node test/soak/soak.mjs [--minutes 30] [--seed 1] [--save-dir FOLDER]
 *
 * Memory is taken after each of twelve equal parts; the lowest of the last three may be a fifth above the highest of
 * parts 3 to 5, by when caches and rings are full. Needs `npm run build`, and Linux.
 */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeEnvironment, startServerProcess } from '../support/server-process.mjs';

const PARTS = 12;
const LANES = 8;
/** MiB that a run may gain beside a fifth: what the garbage collector leaves lying in a short one. */
const SLACK = 100;

/** A small seeded generator (mulberry32): a run can be repeated. */
const seeded = (seed) => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const CONNECTORS = ['mail', 'crm', 'warehouse', 'weather', 'chat'];

/** What one call may be; each gives method, path, body and the statuses that are right. */
const CALLS = [
  () => ['GET', '/api/v1/connected_accounts?page_size=20', undefined, [200]],
  () => ['GET', '/api/v1/connected_accounts:search?query=test', undefined, [200]],
  () => ['GET', '/api/v1/connections', undefined, [200]],
  () => ['GET', '/api/v1/logs/authentication/requests', undefined, [200]],
  (draw) => ['POST', '/api/v1/connected_accounts', account(draw), [201, 409]],
  (draw) => [
    'PUT',
    '/api/v1/connected_accounts',
    { ...account(draw), connected_account: { api_config: { at: draw(9) } } },
    [200, 404],
  ],
  (draw) => ['POST', '/api/v1/connected_accounts:delete', account(draw), [200, 404]],
  (draw) => ['POST', '/api/v1/connected_accounts/magic_link', { ...account(draw), connector: 'mail' }, [200]],
  (draw) => [
    'GET',
    `/api/v1/connected_accounts/auth?${new URLSearchParams(account(draw))}`,
    undefined,
    [200, 404],
  ],
  () => [
    'POST',
    '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005',
    {},
    [201, 409],
  ],
  () => [
    'DELETE',
    '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005',
    undefined,
    [200, 404],
  ],
  () => [
    'PATCH',
    '/api/v1/invites/organizations/org_100000000000000001/users/usr_100000000000000002/resend',
    {},
    [200],
  ],
  () => ['GET', '/api/v1/nothing', undefined, [404]],
  () => ['POST', '/api/v1/connected_accounts', { connector: 'a/b', padding: 'x'.repeat(20_000) }, [400]],
];

const account = (draw) => ({
  connector: CONNECTORS[draw(CONNECTORS.length)],
  identifier: `user-${draw(2_000)}@soak.test`,
});

/** What happens to an environment now and then. */
const MOVES = [
  ['POST', 'reset', {}],
  ['POST', 'clock/advance', { by: '1h' }],
  ['POST', 'snapshots', { name: 'soak' }],
  ['GET', 'requests'],
  ['GET', 'state'],
  ['GET', 'events'],
];

const AUTHORIZED = 'Host: 127.0.0.1\r\nAuthorization: Bearer dev-token\r\n';
const sized = (body, length = body.length) =>
  `POST /api/v1/connected_accounts HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;

/** What a client begins before it breaks off. */
const BEGUN = [
  `GET /api/v1/connected_accounts?page_size=100 HTTP/1.1\r\n${AUTHORIZED}\r\n`,
  `GET /_mock/environments/development/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(50),
  `GET /_mock/live?environments=development HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  `GET /keys HTTP/1.1\r\n${AUTHORIZED}\r\nGET /_mock/live?environments=development HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test\r\n\r\n',
  'GET /keys HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  sized('{"connector":"mail","identifier":"'),
  sized('{', 500_000),
  sized(JSON.stringify({ connector: 'a/b', padding: 'x'.repeat(900_000) })),
  sized('x'.repeat(8_000_000)),
];

/** @param wait milliseconds until it breaks off */
const breakOff = async (port, begun, wait) => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}); // the server may hang up first
  socket.resume().write(begun);
  await pause(wait);
  socket.resetAndDestroy();
  if (!socket.closed) await once(socket, 'close');
};

/** What a client of HTTP/2 asks for before it breaks off, in the middle of answers large and small. */
const ASKED = [
  '/_mock/live?environments=development',
  '/_mock/environments/development/events',
  '/_mock/environments/development/state',
  '/_mock/openapi.json',
  '/api/v1/connected_accounts?page_size=100',
];

/** Ends a stream, or the whole connection, at any point. */
const breakOffHttp2 = async (url, draw) => {
  const session = connectHttp2(url);
  session.on('error', () => {}); // the server may hang up first
  const streams = ASKED.map((path) => session.request({ ':path': path, authorization: 'Bearer dev-token' }));
  for (const stream of streams) stream.on('error', () => {}).on('data', () => {});
  await pause(draw(50));
  streams[draw(streams.length)].close(8); // CANCEL
  await pause(draw(5));
  if (draw(2) === 0) session.socket?.resetAndDestroy();
  session.destroy();
};

/** Name and number of accounts of every environment, in the order of the names. */
const countAccounts = async (url) => {
  const { environments } = await (await fetch(`${url}/_mock/environments`)).json();
  const counts = environments.map(async ({ name }) => {
    const state = await (await fetch(`${url}/_mock/environments/${name}/state`)).json();
    return `${name} ${state.connected_accounts?.length ?? 0}`;
  });
  return (await Promise.all(counts)).sort().join('\n');
};

/** @returns what is wrong with what is there after a restart, or nothing */
const findLost = async (args, saved) => {
  const again = await startServerProcess({ args });
  const found = await countAccounts(again.url);
  await again.stop();
  return found === saved ? [] : [`saved:\n${saved}\nfound after a restart:\n${found}`];
};

const main = async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      'save-dir': { type: 'string' },
    },
  });
  // With descriptors the port speaks HTTP/2 as well.
  const args = ['--grpc-descriptors', 'test/grpc/accounts.binpb'];
  const folder = values['save-dir'];
  if (folder !== undefined) args.push('--save-dir', folder);
  const server = await startServerProcess({ args });
  let calls = 0;
  const wrong = [];
  const send = async (method, path, { body, token, right }) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    calls += 1;
    if (!right.includes(response.status))
      wrong.push(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  };
  const end = Date.now() + Number(values.minutes) * 60_000;
  /** One life of an environment after the other. */
  const lane = async (number) => {
    const draw = seeded(Number(values.seed) * 1_000 + number);
    while (Date.now() < end) {
      const { name, access_token: token } = await makeEnvironment(server.url);
      for (let round = 0; round < 400 && Date.now() < end; round += 1) {
        const [method, path, body, right] = CALLS[draw(CALLS.length)](draw);
        await send(method, path, { body, token, right });
        if (draw(40) > 0) continue;
        const [move, what, given] = MOVES[draw(MOVES.length)];
        await send(move, `/_mock/environments/${name}/${what}`, { body: given, right: [200, 201, 409] });
      }
      if (Date.now() < end) await send('DELETE', `/_mock/environments/${name}`, { right: [200] });
    }
  };
  let brokenOff = 0;
  const abuse = async (number) => {
    const draw = seeded(Number(values.seed) * 1_000 + number);
    while (Date.now() < end) {
      await breakOff(server.port, BEGUN[draw(BEGUN.length)], draw(50));
      await breakOffHttp2(server.url, draw);
      // At the pace of the server, since this is no test of a flood.
      await send('GET', '/keys', { right: [200] });
      brokenOff += 2;
      // A thousand bodies of 64 KiB are kept otherwise: no leak, but minutes until it is full.
      if (brokenOff % 100 === 0)
        await send('DELETE', '/_mock/environments/development/requests', { right: [200] });
    }
  };
  const memory = [];
  const part = (Number(values.minutes) * 60_000) / PARTS;
  const watch = setInterval(() => memory.push(server.memory().resident), part);
  await Promise.all(
    Array.from({ length: LANES }, (_, number) =>
      number % 4 === 0 ? [lane(number), abuse(LANES + number)] : [lane(number)],
    ).flat(),
  );
  clearInterval(watch);
  const { highest } = server.memory();
  const isAlive = server.isAlive();
  const saved = folder === undefined ? '' : await countAccounts(server.url);
  const { code } = await server.stop();
  const before = Math.max(...memory.slice(2, 5));
  const after = Math.min(...memory.slice(-3));
  const isFlat = after <= before * 1.2 + SLACK;
  if (folder !== undefined) wrong.push(...(await findLost(args, saved)));
  for (const one of wrong.slice(0, 10)) console.log('Wrong answer:', one);
  for (const complaint of server.complaints.slice(0, 10))
    console.log('The server logged', JSON.stringify(complaint));
  console.log(
    `soak: ${calls} calls and ${brokenOff} broken off in ${values.minutes} min, ${wrong.length} wrong answers, ${server.complaints.length} complaints; ` +
      `resident MiB by parts ${memory.join(' ')}, highest ${highest}; ${isFlat ? 'flat' : 'NOT FLAT'}, ended with ${code}`,
  );
  process.exitCode = isFlat && isAlive && code === 0 && wrong.length + server.complaints.length === 0 ? 0 : 1;
};

await main();
