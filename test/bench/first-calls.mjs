/**
 * Measures the CPU milliseconds of the first call of each operation, in one process. run.mjs runs this; it prints one
 * JSON object.
 */
import { pathToFileURL } from 'node:url';
import { readRequests } from './requests.mjs';

const [, , index] = process.argv;
const { createMock } = await import(pathToFileURL(index));
const mock = await createMock({ log: 'silent' });

const found = {};
for (const { operationId, path, body, ...init } of readRequests()) {
  const before = process.cpuUsage();
  const response = await mock.fetch(path, { ...init, ...(body !== '' && { body }) });
  await response.text();
  const { user, system } = process.cpuUsage(before);
  found[operationId] = (user + system) / 1_000;
}
await mock.close();
console.log(JSON.stringify(found));
