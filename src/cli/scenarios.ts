/** The commands for scenarios: `ca-mock list`, `validate`, `init` and `export`. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageRoot } from '../engine/contract/package-root.ts';
import { columns } from '../engine/core/text.ts';
import { type LoadedScenario, loadScenario } from '../engine/scenario/load-scenario.ts';
import {
  describeScenario,
  listScenarios,
  namesIn,
  ownFiles,
  type Places,
} from '../engine/scenario/scenario-files.ts';
import { readScenario, writeScenario } from '../engine/scenario/scenario-text.ts';
import { tableOf } from '../engine/scenario/section.ts';
import { ScenarioError } from '../engine/scenario/source.ts';
import { allSections } from '../engine/service.ts';
import { connectMock } from '../index.ts';
import { UsageError } from '../library/option.ts';
import { fixturesFolder } from '../library/scenario-loader.ts';
import { writeText } from '../library/write-text.ts';
import { service } from '../service/index.ts';
import { defaultUrl, type Run } from './arguments.ts';
import type { EXPORT_OPTIONS, LIST_OPTIONS, SCENARIO_OPTIONS } from './options.ts';

/** The user's scenario files, and then the scenarios of the fixtures folder; with `--grpc`, the gRPC methods of an SDK. */
export const list: Run<typeof LIST_OPTIONS> = async ({ values, flags }, process) => {
  if (!values.grpc && flags.includes('grpcDescriptors'))
    throw new UsageError('--grpc-descriptors needs --grpc as well.');
  if (values.grpc && flags.includes('fixtures'))
    throw new UsageError('--fixtures has no effect with --grpc. Leave one out.');
  const { rows, note } = values.grpc
    ? await listMethods(values.grpcDescriptors ?? [])
    : { rows: listAll(fixturesFolder(values.fixtures), process.cwd()), note: '' };
  const table = columns(rows.map(({ name, ...row }) => [name, Object.values(row).join('  ')]));
  process.stdout.write(`${values.json ? JSON.stringify(rows, null, 2) : table + note}\n`);
  return 0;
};

const listAll = (folder: string, directory: string) => {
  const own = ownFiles(directory);
  const described = own.map((file) => ({ name: basename(file), description: describeScenario(file) }));
  return [...described, ...listScenarios(folder)];
};

/** The methods of an SDK, starting with those that the mock serves, and a note to print at the end. */
const listMethods = async (paths: readonly string[]) => {
  if (paths.length === 0)
    throw new UsageError('list --grpc needs the descriptors of an SDK: --grpc-descriptors PATH.');
  const { nameOfMethod, readMethods } = await import('../grpc/bind.ts');
  const { unmappedNames } = await import('../grpc/transcode.ts');
  const { methods, ...languages } = readMethods(paths, service.contract);
  const served = methods.filter(({ rules }) => rules.length > 0);
  const rows = [...new Set([...served, ...methods])].map(({ method, annotated, rules }) => ({
    name: nameOfMethod(method),
    operation: rules.map(({ operation }) => operation.operationId).join(', ') || 'not served:',
    rest: annotated.map(({ verb, template }) => `${verb} ${template}`).join(', '),
  }));
  const unmapped = unmappedNames(methods, languages).join(', ');
  const note = `\n\nNo name in the API matches ${unmapped}. If the API has other names for them, write a YAML file that maps the names, and pass it to --grpc-descriptors too.`;
  return { rows, note: unmapped && note };
};

export const validate: Run<typeof SCENARIO_OPTIONS> = async ({ values, operands }, process) => {
  const places = { service, fixturesDir: fixturesFolder(values.fixtures), workingDirectory: process.cwd() };
  const own = ownFiles(places.workingDirectory).map((file) => basename(file));
  // Without `--fixtures`, built-in scenarios are checked only if the working directory has no scenario files.
  const inFolder = values.fixtures === undefined && own.length > 0 ? [] : namesIn(places.fixturesDir);
  const named = operands.length > 0 ? operands : [...own, ...inFolder];
  const checked = named.map((each) => check(each, places));
  // The set removes repeated lines: several files can extend the same faulty file.
  for (const line of new Set(checked.flatMap(({ lines }) => lines))) process.stdout.write(`${line}\n`);
  return checked.every(({ isValid }) => isValid) ? 0 : 1;
};

/** A line for each problem of a scenario. For a valid scenario: its warnings, and then what it holds. */
const check = (named: string, places: Places): { isValid: boolean; lines: readonly string[] } => {
  try {
    const loaded = loadScenario(named, places);
    const warnings = loaded.warnings.map((each) => `${named}: warning: ${each}`);
    return { isValid: true, lines: [...warnings, `${named}: valid (${contentOf(loaded)})`] };
  } catch (error) {
    if (error instanceof ScenarioError) return { isValid: false, lines: error.message.split('\n') };
    throw error;
  }
};

/** Such as `3 organizations, 40 users; of default: 1 row changed, 1 added`. */
const contentOf = ({ environments, changes, base }: LoadedScenario): string => {
  const rows = allSections(service).flatMap(({ name, noun: one }) => {
    const size = environments.reduce((sum, { state }) => sum + tableOf(state, name).rows.size, 0);
    return size === 0 ? [] : [counted(size, one)];
  });
  const total = (kind: 'changed' | 'added' | 'removed') =>
    changes.reduce((sum, counts) => sum + counts[kind], 0);
  const own = [`${counted(total('changed'), 'row')} changed`, `${total('added')} added`];
  if (total('removed') > 0) own.push(`${total('removed')} removed`);
  return [rows.join(', ') || 'no rows', ...(base ? [`of ${base}: ${own.join(', ')}`] : [])].join('; ');
};

const counted = (size: number, one: string): string =>
  `${size} ${size === 1 ? one : `${one.replace(/y$/, 'ie')}s`}`;

const DEFAULT_FILE = 'ca-mock.yaml';

export const init: Run<Record<never, never>> = async ({ operands }, process) => {
  const [file = DEFAULT_FILE] = operands;
  writeText(file, commented(file), 'wx');
  const flags = file === DEFAULT_FILE ? '' : ` --scenario ${file}`;
  process.stdout.write(`Wrote ${file}. Serve it with: ca-mock${flags}\n`);
  return 0;
};

/** Returns a small scenario as text: YAML with comments, or JSON, which cannot have comments. */
const commented = (file: string): string => {
  const text = readFileSync(join(packageRoot(), 'src/service/init.yaml'), 'utf8');
  return file.toLowerCase().endsWith('.json') ? writeScenario(Object(readScenario(text).value)) : text;
};

export const exportRunning: Run<typeof EXPORT_OPTIONS> = async ({ values, operands }, process) => {
  const { url = defaultUrl('export --url URL', process), environment, relative, controlToken } = values;
  const [file] = operands;
  const env = await (await connectMock(url, { controlToken })).environment(environment);
  const scenario = relative ? await env.relativeScenario() : await env.scenario();
  if (file === undefined) process.stdout.write(writeScenario(scenario));
  else {
    writeText(file, writeScenario(scenario));
    process.stdout.write(`Wrote ${env.name} to ${file}. Serve it with: ca-mock --scenario ${file}\n`);
  }
  return 0;
};
