/**
 * `ca-mock list`: shows the scenarios, the user's own first. `ca-mock list --grpc` shows the gRPC methods, with the
 * operation behind each method.
 */
import { basename } from 'node:path';
import { fixturesFolder, ownFiles } from '../mock/scenario.ts';
import { loadContract } from '../openapi/load.ts';
import { describeScenario, listScenarios } from '../scenario/files.ts';
import { UsageError } from './arguments.ts';
import { columns } from './columns.ts';
import type { Run } from './command.ts';
import type { LIST_OPTIONS } from './options.ts';

export const run: Run<typeof LIST_OPTIONS> = async ({ values }, process) => {
  const { rows, note = '' } = values.grpc
    ? await listMethods(values.grpcDescriptors ?? [])
    : { rows: listAll(fixturesFolder(values.fixtures), process.cwd()) };
  const table = columns(rows.map(({ name, ...row }) => [name, Object.values(row).join('  ')]));
  process.stdout.write(`${values.json ? JSON.stringify(rows, null, 2) : table + note}\n`);
  return 0;
};

interface Listing {
  readonly rows: readonly ListedRow[];
  /** A text to print after the table. */
  readonly note?: string;
}

interface ListedRow {
  readonly name: string;
  readonly [column: string]: string;
}

const listAll = (folder: string, directory: string): readonly ListedRow[] => {
  const own = ownFiles(directory).map((file) => ({
    name: basename(file),
    description: describeScenario(file),
  }));
  return [...own, ...listScenarios(folder)].map(({ name, description }) => ({ name, description }));
};

/** Lists the methods of an SDK: first the methods that the mock serves. */
const listMethods = async (paths: readonly string[]): Promise<Listing> => {
  if (paths.length === 0)
    throw new UsageError('list --grpc needs the descriptors of an SDK: --grpc-descriptors PATH.');
  const { nameOfMethod, readMethods } = await import('../grpc/bind.ts');
  const { unmappedNames } = await import('../grpc/unmapped.ts');
  const contract = loadContract();
  const { methods, ...languages } = readMethods(paths, contract);
  const listed = methods.map(({ method, annotated, rules }) => ({
    name: nameOfMethod(method),
    operation: rules.map(({ operation }) => operation.operationId).join(', ') || 'not served:',
    rest: annotated.map(({ verb, template }) => `${verb} ${template}`).join(', ') || 'no REST form',
  }));
  const isServed = ({ operation }: ListedRow): boolean => operation !== 'not served:';
  const unmapped = unmappedNames(methods, { ...languages, contract });
  return {
    rows: [...listed.filter(isServed), ...listed.filter((row) => !isServed(row))],
    ...(unmapped.length > 0 && {
      note: `\n\nThe API has no name for ${unmapped.join(', ')}. If the API calls them something else, write its names in a YAML file, and pass that with --grpc-descriptors too.`,
    }),
  };
};
