/** The control plane's own OpenAPI document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, type ContractOperation, readDocument, toContract } from '../openapi/load.ts';
import { packageRoot } from '../openapi/package-root.ts';
import type { ControlId } from './types.ts';

export type ControlOperation = ContractOperation<ControlId>;

export type ControlContract = Contract<ControlId>;

let loaded: ControlContract | undefined;

const FILE = 'src/control/control.yaml';

/** Reads the document once per process. */
export const loadControlContract = (): ControlContract => {
  loaded ??= toContract<ControlId>(readDocument(readFileSync(join(packageRoot(), FILE), 'utf8')));
  return loaded;
};
