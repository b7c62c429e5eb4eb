/** The file of `--save` when processes are killed, or start at the same time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '../support/folder.ts';
import { builtProgram, type Running } from '../support/program.ts';

const program = builtProgram();
afterAll(program.stop);

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), 'state.json');
});

const serve = () => program.serve(['--port', '0', '--save', file]);

const create = async ({ url }: Running, name: string): Promise<void> => {
  const response = await fetch(`${url}/api/v1/connected_accounts`, {
    method: 'POST',
    headers: { authorization: 'Bearer dev-token', 'content-type': 'application/json' },
    body: JSON.stringify({ connector: 'mail', identifier: `${name}@acme.test` }),
  });
  expect(response.status).toBe(201);
};

/** Resolves when the file holds the account. */
const saved = async (name: string): Promise<void> => {
  for (;;) {
    const content = JSON.parse(readFileSync(file, 'utf8'));
    if (JSON.stringify(content).includes(`${name}@acme.test`)) return;
    await new Promise(setImmediate);
  }
};

const accountsAt = async ({ url }: Running): Promise<string> => {
  const query = new URLSearchParams({ query: 'killed-', page_size: '100' });
  const response = await fetch(`${url}/api/v1/connected_accounts?${query}`, {
    headers: { authorization: 'Bearer dev-token' },
  });
  return response.text();
};

test('a killed process loses at most what it had not written yet, and the file is whole at any time', async () => {
  writeFileSync(file, JSON.stringify({ extends: 'default' }));
  for (let round = 0; round < 5; round += 1) {
    const mock = await serve();
    for (let earlier = 0; earlier < round; earlier += 1)
      expect(await accountsAt(mock)).toContain(`killed-${earlier}@`);
    await create(mock, `killed-${round}`);
    await saved(`killed-${round}`);
    // More changes keep the mock writing, so that the kill hits a write in some rounds.
    for (let more = 0; more < 20 * round; more += 1) await create(mock, `more-${round}-${more}`);
    await mock.stop('SIGKILL');
  }
  const { code, stderr } = await (await serve()).stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('of three processes that start at once, one serves and two are refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const starts = await Promise.allSettled([serve(), serve(), serve()]);
    const refused = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
    const inUse = expect.stringMatching(/ended with 1 .* is in use by process/);
    expect(refused).toEqual([inUse, inUse]);
    await program.stop();
  }
});
