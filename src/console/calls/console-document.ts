/** The document of the console's own calls, which shares parts with the control plane's document, and their types. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../engine/contract/document.ts';
import { type Contract, readDocument, toContract } from '../../engine/contract/load.ts';
import { packageRoot } from '../../engine/contract/package-root.ts';
import { type HandlersOf, loadControlContract } from '../../engine/control/control-document.ts';
import type { components, operations } from './generated.ts';

export type ConsoleSchemas = components['schemas'];
export type ConsoleHandlers = HandlersOf<operations>;

const FILE = 'src/console/console.yaml';

let loaded: Contract<keyof operations> | undefined;

/** Reads the document once per process, since compiled checks are kept by their contract. */
export const loadConsoleContract = (): Contract<keyof operations> => {
  loaded ??= readContract();
  return loaded;
};

/** Reads the document, puts the shared parts into it, and says that each call can be refused. */
const readContract = (): Contract<keyof operations> => {
  const written = JSON.stringify(readDocument(readFileSync(join(packageRoot(), FILE), 'utf8')));
  const shared = '../engine/control/control.yaml#'; // so references to the shared parts begin
  const own = JSON.parse(written.replaceAll(shared, '#')) as OpenApiDocument; // the cast is safe: it is a document still
  const components: Record<string, object> = { ...loadControlContract().document.components };
  for (const [group, parts] of Object.entries(own.components ?? {}))
    components[group] = { ...components[group], ...parts };
  for (const { responses } of Object.values(own.paths).flatMap(Object.values))
    if (responses) responses.default = { $ref: '#/components/responses/Error' };
  // The cast is safe: the group `schemas` is in both documents.
  return toContract({ ...own, components: components as OpenApiDocument['components'] & object });
};
