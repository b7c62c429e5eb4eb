/** Mocks for the tests of one file, and environments for single tests. */
import { afterAll } from '@jest/globals';
import { createMock, startMock } from '#mock';
import { callsOf } from '../support/server.ts';

export const NEW_ACCOUNT = { connector: 'mail', identifier: 'new@acme.test' };

export const mockOfFile = () => {
  const mock = createMock({ scenario: 'default', clock: '2026-03-01T12:00:00Z', log: 'silent' });
  afterAll(() => mock.close());
  /** A new environment, and a function that calls the API with its access token. */
  const isolated = async () => {
    const env = await mock.createEnvironment();
    const call = (method: string, path: string, body?: object) =>
      callsOf(mock).call(method, `/api/v1/${path}`, { body, token: env.credentials.accessToken });
    return { env, call };
  };
  return { mock, isolated };
};

/** A mock that listens, and that setups of runners find. */
export const servedMock = async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  process.env.CA_MOCK_URL = mock.url;
  afterAll(async () => {
    delete process.env.CA_MOCK_URL;
    await mock.close();
  });
  /** The environments that tests made: all but the scenario's own two. */
  const names = async () => (await mock.environments()).map(({ name }) => name).slice(2);
  return { mock, names };
};
