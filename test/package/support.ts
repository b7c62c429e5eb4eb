/** Names and programs that the tests of the package share. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const NAME = 'connected-accounts-mock';

/** Runs a program to its end. @throws Error with what it wrote, if it fails */
export const run = promisify(execFile);

/** A program that uses every way to call a mock, once the functions of the package are imported. */
export const WALK = `
  const mock = await startMock({ port: 0 });
  const { credentials } = await mock.createEnvironment();
  const headers = { authorization: 'Bearer ' + credentials.accessToken };
  const over = await fetch(mock.url + '/api/v1/connected_accounts', { headers });
  const within = await mock.fetch('/api/v1/connected_accounts', { headers });
  const remote = await connectMock(mock.url);
  await (await remote.environment()).reset();
  console.log(over.status, (await within.json()).total_size, createMock().url);
  await mock.close();
`;
