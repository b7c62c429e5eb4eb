/** What the state of every service has, whatever its nouns; a service adds a table for each kind of row. */
import { type GeneratorState, seedGenerator } from './core/ids.ts';
import { createTable, type Table } from './core/table.ts';
import { callsOf, type StubRow, stubName } from './stubs/stub.ts';

export interface ClientRow {
  readonly client_id: string;
  readonly client_secret: string;
  readonly name?: string;
  /** The scope of every token of this client; default "". */
  readonly scope?: string;
}

export interface EngineState {
  /** The progress of the generator of ids and tokens. Requests that only read leave it unchanged. */
  readonly generator: GeneratorState;
  /** Bearer tokens that never expire (behaviour E4). */
  readonly access_tokens: readonly string[];
  readonly clients: Table<ClientRow>;
  readonly stubs: Table<StubRow, 'calls'>;
}

const ENGINE_TABLES = {
  clients: createTable({ id: (row: ClientRow) => row.client_id, indexes: {} }),
  stubs: createTable({ id: stubName, indexes: { calls: callsOf } }),
};

/** A state without rows. @param tables the tables of the service, still empty */
export const emptyStateOf = <Tables>(tables: Tables, seed: number): EngineState & Tables => ({
  generator: seedGenerator(seed),
  access_tokens: [],
  ...ENGINE_TABLES,
  ...tables,
});
