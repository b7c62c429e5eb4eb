/** The contract of this API: `openapi.yaml`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, readDocument, toContract } from '../engine/contract/load.ts';
import { packageRoot } from '../engine/contract/package-root.ts';
import type { OperationId } from './contract.ts';

export const readContractText = (): string => readFileSync(join(packageRoot(), 'openapi.yaml'), 'utf8');

let loaded: Contract<OperationId> | undefined;

/** The contract; read once per process. */
export const loadContract = (): Contract<OperationId> => {
  loaded ??= toContract<OperationId>(readDocument(readContractText()));
  return loaded;
};
