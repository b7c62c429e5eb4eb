/** Installs and generates the clients below `WORK`, with the tools of this machine. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '../..');
/** Git ignores this folder. */
export const WORK = join(HERE, '.work');

/** Runs a program to its end. @throws Error with its output if it fails */
export const run = (program, args, cwd = HERE) => execFileSync(program, args, { cwd, stdio: 'pipe' });

/** Makes a virtual environment of Python with the packages of a list. */
export const makeVenv = (folder, requirements) => {
  run('python3', ['-m', 'venv', folder]);
  run(join(folder, 'bin/pip'), ['install', '--quiet', '-r', requirements]);
};

const TYPESCRIPT = join(HERE, 'typescript');
const heyApi = {
  name: 'hey-api',
  prepare: () => {
    run('npm', ['ci', '--no-audit'], TYPESCRIPT);
    run('npm', ['run', 'build'], TYPESCRIPT);
  },
  command: [process.execPath, join(TYPESCRIPT, 'built/hey-api.mjs')],
};

const VENV = join(WORK, 'python');
const python = {
  name: 'python',
  needs: ['python3'],
  prepare: () => makeVenv(VENV, join(HERE, 'python/requirements.txt')),
  command: [join(VENV, 'bin/python'), join(HERE, 'python/flow.py')],
};

const GENERATOR = 'org.openapitools:openapi-generator-cli:7.17.0';
const [, ARTIFACT, VERSION] = GENERATOR.split(':');
const JAR = join(
  homedir(),
  `.m2/repository/org/openapitools/${ARTIFACT}/${VERSION}/${ARTIFACT}-${VERSION}.jar`,
);
const GO = join(WORK, 'go');
const go = {
  name: 'go',
  needs: ['go', 'java', 'mvn'],
  fetch: () => {
    const get = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get';
    const flags = ['--quiet', '--batch-mode', `-Dartifact=${GENERATOR}`, '-Dtransitive=false'];
    if (!existsSync(JAR)) run('mvn', [get, ...flags]);
  },
  prepare: () => {
    cpSync(join(HERE, 'go'), GO, { recursive: true });
    run('java', [
      ...['-jar', JAR, 'generate', '-g', 'go', '-i', join(ROOT, 'openapi.yaml'), '-o', join(GO, 'mock')],
      '--additional-properties=packageName=mock,isGoSubmodule=true,withGoMod=false,enumClassPrefix=true',
      '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
    ]);
    run('go', ['build', '-o', 'flow', '.'], GO);
  },
  command: [join(GO, 'flow')],
};

export const CLIENTS = [heyApi, python, go];
