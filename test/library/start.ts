/** Starts mocks for a test file without a log and on a free port, and closes them after each test. */
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { type Mock, type StartOptions, startMock } from '#mock';

const open: Mock[] = [];
afterEach(() => Promise.all(open.splice(0).map((mock) => mock.close())));

/** Starts a mock with the default scenario. */
export const start = async (options: StartOptions = {}): Promise<Mock> => {
  const mock = await startMock({ scenario: 'default', port: 0, log: 'silent', ...options });
  open.push(mock);
  return mock;
};

const pem = (name: string): string => join(import.meta.dirname, `../support/tls/${name}.pem`);
export const TLS = { tlsCert: pem('cert'), tlsKey: pem('key') };
