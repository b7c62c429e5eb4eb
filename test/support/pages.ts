/**
 * Runs the code blocks of README and guide. The blocks of one page run from top to bottom in a separate folder, next to
 * a running mock.
 * - `sh`: commands for the page's shell. A `json` or `text` block below shows their output.
 * - `sh serve`: commands that start servers. Each server is stopped as soon as it is ready.
 * - `sh needs=go`: commands that run only if the machine has the program `go`.
 * - `js`: a part of a module. All parts on a page are one program.
 * - Any language with `name=FILE`: a file, written before the commands below it run.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { builtProgram, type Program } from './program.ts';

/** The address in the examples of pages. */
export const ADDRESS = 'http://127.0.0.1:4720';

export interface Block {
  readonly language: string;
  /** The words after the language: `name=FILE`, `needs=PROGRAM`, `serve`. */
  readonly options: { readonly name?: string; readonly needs?: string; readonly serve?: string };
  readonly text: string;
  /** The line where the block begins, from 1. */
  readonly line: number;
}

/** Every fenced block, in order. */
export const readBlocks = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(/^```(\w*)([^\n]*)\n(.*?)^```$/gms)].map(
    ({ 1: language = '', 2: options = '', 3: text = '', index }) => ({
      language,
      options: Object.fromEntries(
        options
          .trim()
          .split(' ')
          .filter(Boolean)
          .map((option) => (option.includes('=') ? option.split('=') : [option, 'yes'])),
      ),
      text,
      line: markdown.slice(0, index).split('\n').length,
    }),
  );

export interface Page {
  readonly file: string;
  readonly blocks: readonly Block[];
}

export const readPages = (): readonly Page[] =>
  ['README.md', 'skills/ca-mock/SKILL.md', ...readdirSync('src/guide').map((name) => `src/guide/${name}`)]
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({ file, blocks: readBlocks(readFileSync(file, 'utf8')) }));

export interface Outcome {
  readonly code: number;
  /** The output of the block, with the mock's address replaced by `ADDRESS`. */
  readonly output: string;
}

/** Packages that the examples use, in addition to the mock. */
const PACKAGES = ['express', 'supertest', '@pactflow/openapi-pact-comparator'];

export const createRunner = () => {
  const program = builtProgram();
  const projects: string[] = [];
  return {
    /** Runs a page. Returns the outcome of each block that is a command or a part of the page's program. */
    run: async (page: Page) => {
      const project = makeProject(program);
      projects.push(project);
      // Strict, so that a misspelt name in an example is refused.
      const mock = await program.serve(['--port', '0', '--log', 'silent', '--strict'], { cwd: project });
      return runPage(page, project, mock.url);
    },
    /** Stops all running programs, and removes all files. */
    remove: async () => {
      await program.stop();
      for (const project of projects) rmSync(project, { recursive: true, force: true });
    },
  };
};

/** Makes a separate project that has the built package installed. */
export const makeProject = (program: Program): string => {
  const project = mkdtempSync(join(tmpdir(), 'ca-mock-'));
  const installed = join(project, 'node_modules/connected-accounts-mock');
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  mkdirSync(installed, { recursive: true });
  symlinkSync(program.folder, join(installed, 'dist'));
  for (const file of ['package.json', 'openapi.yaml', 'fixtures'])
    symlinkSync(resolve(file), join(installed, file));
  mkdirSync(join(project, 'node_modules/@pactflow'));
  for (const name of PACKAGES)
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
  symlinkSync(join(program.folder, 'cli.js'), join(project, 'node_modules/.bin/ca-mock'));
  writeFileSync(
    join(project, 'package.json'),
    '{ "name": "someone-else", "private": true, "type": "module" }\n',
  );
  return project;
};

const runPage = (page: Page, project: string, url: string): ReadonlyMap<Block, Outcome> => {
  const steps = page.blocks.flatMap((block, nth) => stepOf(block, nth));
  const program = page.blocks.map((block, nth) =>
    isPart(block) ? `console.log('@@ ${nth}');\n${block.text}` : '',
  );
  writeFileSync(join(project, 'page.mjs'), program.join('').replaceAll(ADDRESS, url));
  writeFileSync(join(project, 'page.sh'), steps.join('').replaceAll(ADDRESS, url));
  const PATH = [join(project, 'node_modules/.bin'), resolve('node_modules/.bin'), process.env.PATH].join(':');
  const npm = { npm_config_update_notifier: 'false', npm_config_loglevel: 'error' }; // keeps messages of npx out of the page's output
  const env = { ...process.env, ...npm, PATH, MOCK_URL: url, NODE_OPTIONS: '' };
  const start = (command: string, args: readonly string[]) =>
    spawnSync(command, args, { cwd: project, env, encoding: 'utf8' });
  start('bash', ['page.sh']);
  const outcomes = new Map<Block, Outcome>();
  page.blocks.forEach((block, nth) => {
    if (isCommand(block) && existsSync(join(project, `${nth}.code`)))
      outcomes.set(block, readOutcome(project, nth, url));
  });
  if (program.join('') === '') return outcomes;
  const { status, stdout, stderr } = start(process.execPath, ['page.mjs']);
  const said = new Map(
    stdout.split(/^@@ /m).map((part) => [Number.parseInt(part, 10), part.replace(/^\d+\n/, '')]),
  );
  page.blocks.forEach((block, nth) => {
    if (isPart(block))
      outcomes.set(block, {
        code: status ?? 1,
        output: `${said.get(nth)}${stderr}`.replaceAll(url, ADDRESS),
      });
  });
  return outcomes;
};

const isPart = ({ language, options }: Block): boolean => language === 'js' && options.name === undefined;

export const isCommand = ({ language, options }: Block): boolean =>
  language === 'sh' && options.name === undefined;

/** The shell code for a block: writes a file, or runs a command and writes its output and exit code to files. */
const stepOf = ({ language, options, text }: Block, nth: number): readonly string[] => {
  if (options.name !== undefined) {
    const folder = dirname(options.name);
    return [`mkdir -p '${folder}'; cat > '${options.name}' <<'END-OF-FILE'\n${text}END-OF-FILE\n`];
  }
  if (language !== 'sh') return [];
  const commands = options.serve === undefined ? text : servedText(text);
  const run = `{\n${commands}} > ${nth}.out 2>&1\necho $? > ${nth}.code\n`;
  return [options.needs === undefined ? run : `if ${probeOf(options.needs)}; then ${run}fi\n`];
};

/** A command that succeeds if the program can be used. For docker, its engine must run too. */
export const probeOf = (program: string): string =>
  program === 'docker' ? 'timeout 10 docker info > /dev/null 2>&1' : `command -v ${program} > /dev/null`;

/** The shell code for commands that serve: runs each on a free port until it is ready, and prints its output. */
const servedText = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const command = `CA_MOCK_PORT=0 CA_MOCK_LOG=pretty ${line.replace(/^npx /, '').replace(/--port \d+/, '')}`;
      return `rm -f served; ${command} > served & until grep -qs 'Try it' served || ! kill -0 $!; do sleep 0.05; done; kill -TERM $! && wait $!; cat served\n`;
    })
    .join('');

const readOutcome = (project: string, nth: number, url: string): Outcome => {
  const read = (kind: string) => readFileSync(join(project, `${nth}.${kind}`), 'utf8');
  return { code: Number(read('code')), output: read('out').replaceAll(url, ADDRESS) };
};
