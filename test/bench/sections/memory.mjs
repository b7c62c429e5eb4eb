/** Memory after one call to each operation of the contract, with the contract's own examples. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  askOnce,
  freePort,
  peakMemory,
  residentMemory,
  SERVER_CORE,
  startPinned,
  stop,
  untilFirst200,
} from '../machine.mjs';
import { ours } from '../peers.mjs';
import { round, table } from '../stats.mjs';
import { LIST, TOKEN } from '../work.mjs';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

export const measureMemory = async ({ log }) => {
  const rows = [];
  for (const scenario of ['default', 'large']) {
    const port = await freePort();
    const child = startPinned(SERVER_CORE, ours(scenario).command(String(port)));
    const loaded = await untilFirst200(child, port, LIST, TOKEN);
    const statuses = [];
    for (const request of requests(port)) statuses.push((await askOnce(port, request))?.slice(9, 12));
    rows.push({
      scenario,
      loaded,
      resident: residentMemory(child.pid),
      peak: peakMemory(child.pid),
      statuses,
    });
    log(
      `memory: ${scenario} ${round(residentMemory(child.pid))} MiB after ${statuses.length} calls (${statuses.join(' ')})`,
    );
    await stop(child);
  }
  return rows;
};

/** One request for each operation. Whether it succeeds depends on the scenario; its validators are made either way. */
const requests = (port) => {
  const contract = parse(readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8'));
  const follow = (value) =>
    typeof value?.$ref === 'string'
      ? value.$ref
          .slice(2)
          .split('/')
          .reduce((found, name) => found[name], contract)
      : value;
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(follow);
      const { type, body } = exampleBody(follow, follow(item[method].requestBody));
      return [
        `${method.toUpperCase()} ${fillPath(follow, path, parameters)} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Authorization: Bearer ${TOKEN}`,
        `Content-Type: ${type}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n');
    }),
  );
};

const fillPath = (follow, path, parameters) =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name) => {
    const { example, schema } = parameters.find((one) => one.name === name);
    return encodeURIComponent(example ?? follow(schema)?.example ?? 'unknown');
  });

const exampleBody = (follow, requestBody) => {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return { type: 'application/json', body: '' };
  const example = follow(Object.values(media.examples ?? {})[0])?.value ?? media.example ?? {};
  return {
    type,
    body: type.includes('json') ? JSON.stringify(example) : String(new URLSearchParams(example)),
  };
};

export const presentMemory = (rows) =>
  table(
    ['scenario', 'calls', 'resident, MiB', 'peak, MiB', 'spawn to first 200, ms'],
    rows.map(({ scenario, resident, peak, statuses, loaded }) => [
      scenario,
      statuses.length,
      round(resident),
      round(peak),
      round(loaded),
    ]),
  );
