/** Compares the same requests with 100 and with 100,000 accounts, over one HTTP connection, in median microseconds. */
import {
  askLoad,
  askOnce,
  freePort,
  SERVER_CORE,
  startLoad,
  startPinned,
  stop,
  untilFirst200,
} from '../machine.mjs';
import { ours } from '../peers.mjs';
import { getJson, ORGANIZATION, USER, writeScenario } from '../prepare.mjs';
import { median, round, table } from '../stats.mjs';
import { LIST, TOKEN } from '../work.mjs';

const SEARCH = `${LIST}:search`;
export const SIZES = [100, 100_000];

export const measureGrowth = async ({ options, log }) => {
  const load = startLoad();
  const servers = [];
  try {
    for (const size of SIZES) servers.push(await startSize(size));
    const rows = [];
    for (const [name, ask] of await readsOf(servers)) {
      const job = (nth) => ({ work: 'as given', seconds: options.growthSeconds / 2, path: ask(nth) });
      const firstTime = (nth) => ({ ...job(nth), isFirstTime: true });
      await inTurn(servers, load, firstTime); // warm-up
      const row = {
        name,
        firstTime: await inTurn(servers, load, firstTime),
        remembered: await inTurn(servers, load, job),
      };
      log(`growth: ${name} ${row.firstTime.map((value) => round(value)).join(' -> ')} µs`);
      rows.push(row);
    }
    const writes = [];
    for (const work of ['auth', 'create'])
      writes.push({
        name: work,
        firstTime: await inTurn(servers, load, () => ({ work, seconds: options.growthSeconds })),
      });
    const afterWrite = [];
    for (const [name, path] of [
      ['list', LIST],
      ['search', `${SEARCH}?query=person-77%40`],
    ])
      afterWrite.push({ name, firstTime: await firstAfterWrite(servers, path) });
    const control = await measureControl(servers, load, options);
    return { rows, writes, afterWrite, control };
  } finally {
    await Promise.all([...servers.map(({ child }) => stop(child)), stop(load)]);
  }
};

const startSize = async (size) => {
  const port = await freePort();
  const child = startPinned(SERVER_CORE, ours(writeScenario(size)).command(String(port)));
  const loaded = await untilFirst200(child, port, LIST, TOKEN);
  return { port, child, loaded };
};

/** The paths of every filter, the last page and the searches. Page tokens differ between servers. */
const readsOf = async (servers) => {
  const lastPages = [];
  for (const { port } of servers) lastPages.push(await lastPage(port));
  const { connected_accounts } = await getJson(servers[0].port, `${LIST}?connector=chat&page_size=1`);
  const connection = connected_accounts[0].connection_id;
  return [
    ['first page', () => LIST],
    ['last page', (nth) => `${LIST}?page_size=10&page_token=${lastPages[nth]}`],
    ['organization_id', () => `${LIST}?organization_id=${ORGANIZATION}`],
    ['user_id', () => `${LIST}?user_id=${USER}`],
    ['connector', () => `${LIST}?connector=mail`],
    ['connection_names', () => `${LIST}?connection_names=mail&connection_names=chat`],
    ['identifier', () => `${LIST}?identifier=person-77%40acme.test`],
    ['provider', () => `${LIST}?provider=MAIL`],
    ['connector and provider, all match', () => `${LIST}?connector=mail&provider=MAIL`],
    ['connector and user_id', () => `${LIST}?connector=chat&user_id=${USER}`],
    ['details', () => `${LIST}/details?connector=mail&identifier=person-77%40acme.test`],
    ['search, connection_id', () => `${SEARCH}?query=owned&connection_id=${connection}`],
    ['search, one match', () => `${SEARCH}?query=person-77%40`],
    ['search, all match', () => `${SEARCH}?query=acme`],
  ];
};

/** Reads pages of 100 up to the last page but one. Returns the token of the last page. */
const lastPage = async (port) => {
  let token = '';
  for (;;) {
    const page = await getJson(port, `${LIST}?page_size=100${token && `&page_token=${token}`}`);
    if (page.next_page_token === '') return token === '' ? '' : token;
    token = page.next_page_token;
  }
};

const TURNS = 3;

/** Measures the servers in turns, several times, so that other work on the machine affects both alike. */
const inTurn = async (servers, load, jobOf) => {
  const medians = servers.map(() => []);
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [nth, { port }] of servers.entries())
      medians[nth].push((await askLoad(load, { port, ...jobOf(nth) })).median);
  return medians.map(median);
};

/** Writes and reads in turns. Measures only the read, including its new connection. */
const firstAfterWrite = async (servers, path) => {
  const medians = [];
  for (const { port } of servers) {
    const spent = [];
    for (let nth = 0; nth < 30; nth += 1) {
      const body = JSON.stringify({ connector: 'mail', identifier: `write-${path.length}-${nth}@acme.test` });
      await askOnce(
        port,
        `POST ${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      const startedAt = performance.now();
      await getJson(port, path);
      spent.push((performance.now() - startedAt) * 1_000);
    }
    medians.push(median(spent));
  }
  return medians;
};

const CONTROL = [
  ['reset', { path: '/_mock/environments/current/reset' }],
  ['clock', { method: 'PUT', path: '/_mock/environments/current/clock', body: '{"mode":"running"}' }],
  ['new environment', { path: '/_mock/environments', body: '{}', status: [201] }],
];

const measureControl = async (servers, load, { growthSeconds }) => {
  const rows = [];
  for (const [name, job] of CONTROL) {
    const asked = { work: 'as given', method: 'POST', body: '{}', seconds: growthSeconds, ...job };
    const medians = [];
    for (const { port } of servers) {
      const { median: spent, wrong, sample } = await askLoad(load, { port, ...asked });
      medians.push(wrong > 0 ? Number.NaN : spent);
      if (wrong > 0) console.error(`${name}: ${sample}`);
    }
    rows.push({ name, firstTime: medians });
  }
  return rows;
};

const ratio = ([few, many]) => `${round(many / few, 2)}x`;

export const presentGrowth = ({ rows, writes, afterWrite, control }) =>
  [
    table(
      ['read', '100, first time', '100,000, first time', 'ratio', '100, remembered', '100,000, remembered'],
      rows.map(({ name, firstTime, remembered }) => [
        name,
        ...firstTime.map((value) => round(value)),
        ratio(firstTime),
        ...remembered.map((value) => round(value)),
      ]),
    ),
    table(
      ['never remembered', '100', '100,000', 'ratio'],
      [
        ...writes,
        ...afterWrite.map(({ name, firstTime }) => ({ name: `${name}, first after a write`, firstTime })),
        ...control,
      ].map(({ name, firstTime }) => [name, ...firstTime.map((value) => round(value)), ratio(firstTime)]),
    ),
  ].join('\n\n');
