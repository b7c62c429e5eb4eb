/** The global setup for Vitest. It must be an ES module, because Vitest finds no default export in CommonJS code. */
import { setupMock, type Teardown } from './setup.ts';

export { type SetupOptions, setupMock, type Teardown } from './setup.ts';

/** Takes nothing that Vitest passes. */
export default (): Promise<Teardown> => setupMock();
