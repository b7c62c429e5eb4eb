/** Loads scenarios for tests: from the package, or from text that is written to a temporary folder. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { parse } from 'yaml';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';
import type { Instant } from '../../../src/engine/core/moment.ts';
import { hasMembers, isJsonObject, valueAt } from '../../../src/engine/core/object.ts';
import { exportEnvironment } from '../../../src/engine/scenario/export.ts';
import {
  type Changed,
  type LoadedScenario,
  type LoadOptions,
  loadScenario as loadAny,
  writeState,
} from '../../../src/engine/scenario/load-scenario.ts';
import type { EnvironmentContent, InitialEnvironment } from '../../../src/engine/scenario/scenario.ts';
import { ScenarioError } from '../../../src/engine/scenario/source.ts';
import { service } from '../../../src/service/index.ts';
import type { SettingValues } from '../../../src/service/settings.ts';
import type { State } from '../../../src/service/state.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** The content of an environment of this service. */
export type Content = Omit<InitialEnvironment, 'state' | 'settings'> & {
  readonly state: State;
  readonly settings: SettingValues;
};

/** A scenario of this service. */
export type Loaded = Omit<LoadedScenario, 'environments'> & { readonly environments: readonly Content[] };

type OwnChanged = Omit<Changed, 'state' | 'settings'> & Pick<Content, 'state' | 'settings'>;
type Given = Parameters<typeof writeState>;

// The casts are safe: the engine gives a service its own state.
export const loadScenario = (from: string | object, options: Omit<LoadOptions, 'service'>): Loaded =>
  loadAny(from, { service, ...options }) as unknown as Loaded;
export const mergeState = (content: Given[0], body: object, at: Given[2], rules: Given[3] = {}) =>
  writeState(content, body, at, rules) as OwnChanged;
export const replaceState = (content: Given[0], body: object, at: Given[2]) =>
  writeState(content, body, at) as OwnChanged;

export const fixturesDir = join(packageRoot(), 'fixtures');

/** Writes the files to a temporary folder, and loads the scenario `main` from there. */
export const loadFiles = (
  files: Readonly<Record<string, string>>,
  options: Partial<LoadOptions> = {},
  main = './main.yaml',
): Loaded => {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return loadScenario(main, { fixturesDir: folder, workingDirectory: folder, ...options });
};

export const load = (text: string, options: Partial<LoadOptions> = {}): Loaded =>
  loadFiles({ 'main.yaml': text }, options);

/** Loads a packaged scenario, or an object. */
export const loadFixture = (from: string | object, options: Partial<LoadOptions> = {}): Loaded =>
  loadScenario(from, { fixturesDir, workingDirectory: fixturesDir, ...options });

/** The first environment of a scenario. */
export const firstOf = ({ environments }: Loaded): Content => {
  const [first] = environments;
  if (!first) throw new Error('the scenario has no environment');
  return first;
};

/** The first environment of a packaged scenario. */
export const packaged = (name: string) => firstOf(loadFixture(name));

export const stateOf = (loaded: Loaded): State => firstOf(loaded).state;

/** The state of an environment whose members are these lines of YAML. */
export const stateWith = (lines: string, options: Partial<LoadOptions> = {}): State =>
  stateOf(load(environment(lines), options));

/** The YAML of one environment `test` with these lines as its members, which begin at line 3, column 5. */
export const environment = (lines: string): string =>
  `environments:\n  test:\n${lines.replace(/^\n/, '').replaceAll(/^(?=.)/gm, '    ')}`;

/** The lines of the ScenarioError that `act` throws, or an empty list. */
export const problemsOf = (act: () => unknown): string[] => {
  try {
    act();
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
  return [];
};

export const problemsWith = (lines: string): string[] => problemsOf(() => load(environment(lines)));

/** Takes the mark `»` out of a text. Returns the text, and the place of the mark as `LINE:COL`. */
export const readMark = (text: string): { readonly text: string; readonly place: string } => {
  const before = text.slice(0, text.indexOf('»')).split('\n');
  return { text: text.replace('»', ''), place: `${before.length}:${(before.at(-1)?.length ?? 0) + 1}` };
};

const WIKI =
  'display_name: Wiki, proxy_url: https://wiki.test, auth_patterns: [{ type: BASIC, is_mcp: true }]';
const MEMBER = `organizations: [{ name: acme }]
roles: [{ name: reader, permissions: [read] }]
users: [{ email: a@b.test, memberships: [{ name: acme, $1 }] }]`;

/** The lines of a case: `; ` stands for a line end, a word in capitals for rows; MEMBER and ACCOUNT are rows of their own. */
export const inFull = (lines: string): string =>
  lines
    .replace(/^MEMBER (.*)$/, MEMBER)
    .replace(/^ACCOUNT (.*)$/m, 'MAIL connected_accounts: [{ connector: mail, identifier: a, $1 }]')
    .replace('BARE', 'authorization_details: { oauth_token: { access_token: t } }')
    .replace('SSO ', 'connections: [{ key_id: sso, type: OIDC, provider: OKTA }]\n')
    .replace('MAIL ', 'connections: [{ key_id: mail }]\n')
    .replace('DWD ', 'connections: [{ key_id: dwd, type: VENDORB_DWD, scopes: [read] }]\n')
    .replace('IDP ', 'connections: [{ key_id: idp, type: TRUSTED_IDP }]\n')
    .replace('ACME ', 'organizations: [{ name: acme }]\n')
    .replace(/^WIKI /, `custom_providers: [{ id: prv_1, ${WIKI} }]\n`)
    .replaceAll('; ', '\n');

/** The wanted parts of a value, with `none` for each missing part. */
const pick = (wanted: unknown, found: unknown): unknown => {
  if (Array.isArray(wanted) && Array.isArray(found)) return found.map((item, nth) => pick(wanted[nth], item));
  if (!isJsonObject(wanted) || !hasMembers(wanted)) return found;
  return Object.fromEntries(
    Object.entries(wanted).map(([name, part]) => [name, pick(part, valueAt(found, name) ?? 'none')]),
  );
};

/** Expects that an export says this, with times as distances and `TOKEN` for a token that was made up. */
export const expectExport = (content: EnvironmentContent, at: Instant, told: string): void => {
  const exported = JSON.stringify(exportEnvironment(content, at, { isRelative: true }));
  const wanted = parse(inFull(told));
  expect(pick(wanted, JSON.parse(exported.replaceAll(/[\w-]{43}/g, 'TOKEN')))).toEqual(wanted);
};
