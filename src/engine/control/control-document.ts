/** The control plane's own OpenAPI document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, readDocument, toContract } from '../contract/load.ts';
import { packageRoot } from '../contract/package-root.ts';
import type { ControlId } from './call-types.ts';

/** The address of the document. Refusals without a hint point to it. */
export const DOCUMENT = '/_mock/openapi.json';

const FILE = 'src/engine/control/control.yaml';

let loaded: Contract<ControlId> | undefined;

/** Reads the document once per process. */
export const loadControlContract = (): Contract<ControlId> => {
  loaded ??= toContract<ControlId>(readDocument(readFileSync(join(packageRoot(), FILE), 'utf8')));
  return loaded;
};
