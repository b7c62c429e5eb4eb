/** The global setup for Vitest. It must be an ES module, because Vitest finds no default export in CommonJS code. */
import process from 'node:process';
import { setupMock, type Teardown } from './setup.ts';

export { type SetupOptions, setupMock, type Teardown } from './setup.ts';

/** Starts the mock, and gives pages (Vitest's browser mode) what tests in Node read from the environment. */
export default async (project?: { provide(name: string, value: object): void }): Promise<Teardown> => {
  const end = await setupMock();
  const { CA_MOCK_URL, CA_MOCK_CONTROL_TOKEN, CA_MOCK_KEEP } = process.env;
  project?.provide('connected-accounts-mock', { CA_MOCK_URL, CA_MOCK_CONTROL_TOKEN, CA_MOCK_KEEP });
  return end;
};
