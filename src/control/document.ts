/** The control plane's own OpenAPI document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, type ContractOperation, readDocument, toContract } from '../openapi/load.ts';
import { packageRoot } from '../openapi/package-root.ts';
import type { ControlId } from './types.ts';

export type ControlOperation = ContractOperation<ControlId>;

export interface ControlContract extends Contract<ControlId> {
  /** By method and path: `PUT /environments/{env}/state`. */
  readonly byCall: ReadonlyMap<string, ControlOperation>;
}

let loaded: ControlContract | undefined;

const FILE = 'src/control/control.yaml';

/** Read once per process. */
export const loadControlContract = (): ControlContract => {
  if (!loaded) {
    const text = readFileSync(join(packageRoot(), FILE), 'utf8');
    const contract = toContract<ControlId>(readDocument(text));
    const named = contract.operations.map((one) => [`${one.method.toUpperCase()} ${one.path}`, one] as const);
    loaded = { ...contract, byCall: new Map(named) };
  }
  return loaded;
};
