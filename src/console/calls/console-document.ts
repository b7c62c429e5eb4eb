/** The document of the console's own calls. It shares parts with the document of the control plane. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../engine/contract/document.ts';
import { type Contract, readDocument, toContract } from '../../engine/contract/load.ts';
import { packageRoot } from '../../engine/contract/package-root.ts';
import { loadControlContract } from '../../engine/control/control-document.ts';
import type { operations } from './generated.ts';

const FILE = 'src/console/console.yaml';

/** How references to the shared parts begin. */
const SHARED = '../engine/control/control.yaml#';

/** Reads the document, puts the shared parts into it, and says that each call can be refused. */
export const loadConsoleContract = (): Contract<keyof operations> => {
  const written = JSON.stringify(readDocument(readFileSync(join(packageRoot(), FILE), 'utf8')));
  const document = JSON.parse(written.replaceAll(SHARED, '#')) as OpenApiDocument; // the cast is safe: it is a document still
  const { components: shared = {} } = loadControlContract().document;
  const own: Components = document.components ?? {};
  const groups = Object.keys({ ...shared, ...own });
  const components = Object.fromEntries(
    groups.map((name) => [name, { ...(shared as Components)[name], ...own[name] }]),
  );
  for (const { responses } of Object.values(document.paths).flatMap(Object.values))
    if (responses) responses.default = { $ref: '#/components/responses/Error' };
  // The cast is safe: the group `schemas` is in both documents.
  return toContract({ ...document, components: components as OpenApiDocument['components'] & object });
};

type Components = Readonly<Record<string, object>>;
