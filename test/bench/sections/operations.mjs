/** Measures whether more operations in the contract make requests slower: 24 against 150. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { SCRATCH } from '../install.mjs';
import { ours } from '../peers.mjs';
import { measureThroughput } from './throughput.mjs';

const ROOT = new URL('../../../', import.meta.url).pathname;
export const MANY = 150;

/** Compares two copies of the built package, one of them with more operations in its contract. */
export const measureOperations = ({ files, list, options, log }) => {
  const peers = [24, MANY].map((count) => {
    const folder = copyPackage(count);
    const own = ours(files.scenario);
    const command = (port) => [process.execPath, join(folder, 'dist/cli.js'), ...own.command(port).slice(2)];
    return { ...own, name: `${count} operations`, command };
  });
  const loads = ['list', 'list, first time', 'auth'].map((work) => [work, 10]);
  return measureThroughput({ peers, files, list, options: { ...options, loads }, log });
};

const copyPackage = (count) => {
  const folder = join(SCRATCH, `operations-${count}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of [
    'package.json',
    'fixtures',
    'src/engine/control/control.yaml',
    'src/console/console.yaml',
    'src/console/public',
    'src/engine/pages',
  ])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  cpSync(process.env.CA_MOCK_DIST ?? join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  const contract = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'));
  const model = contract.paths['/api/v1/connected_accounts'].get;
  for (let nth = 24; nth < count; nth += 1) {
    const operationId = `listThings${nth}`;
    contract.paths[`/api/v1/things_${nth}`] = { get: { ...model, operationId } };
  }
  writeFileSync(join(folder, 'openapi.yaml'), stringify(contract, { aliasDuplicateObjects: false }));
  return folder;
};
