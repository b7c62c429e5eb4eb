/** Installs and generates the clients below `WORK`, with the tools of this machine. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '../..');
/** Git ignores this folder. */
export const WORK = join(HERE, '.work');

/** Runs commands until one fails. @returns the output of the failed command; undefined if all succeed */
export const inOrder = (...commands) => {
  for (const { program, args, cwd = HERE } of commands) {
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
    if (status !== 0) return `${program} ${args.join(' ')}\n${error ?? ''}${(stdout + stderr).slice(-3_000)}`;
  }
  return undefined;
};

export const command = (program, args, cwd) => ({ program, args, cwd });

const TYPESCRIPT = join(HERE, 'typescript');
const heyApi = {
  name: 'hey-api',
  prepare: () =>
    inOrder(command('npm', ['ci', '--no-audit'], TYPESCRIPT), command('npm', ['run', 'build'], TYPESCRIPT)),
  command: [process.execPath, join(TYPESCRIPT, 'built/hey-api.mjs')],
};

const VENV = join(WORK, 'python');
const python = {
  name: 'python',
  needs: ['python3'],
  prepare: () =>
    inOrder(
      command('python3', ['-m', 'venv', VENV]),
      command(join(VENV, 'bin/pip'), ['install', '--quiet', '-r', join(HERE, 'python/requirements.txt')]),
    ),
  command: [join(VENV, 'bin/python'), join(HERE, 'python/flow.py')],
};

const GENERATOR = '7.17.0';
const ARTIFACT = 'openapi-generator-cli';
const JAR = join(
  homedir(),
  `.m2/repository/org/openapitools/${ARTIFACT}/${GENERATOR}/${ARTIFACT}-${GENERATOR}.jar`,
);
const GO = join(WORK, 'go');
const FETCH_JAR = command('mvn', [
  '--quiet',
  '--batch-mode',
  'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get',
  `-Dartifact=org.openapitools:${ARTIFACT}:${GENERATOR}`,
  '-Dtransitive=false',
]);
const GENERATE = command('java', [
  ...['-jar', JAR, 'generate', '-g', 'go'],
  ...['-i', join(ROOT, 'openapi.yaml'), '-o', join(GO, 'mock')],
  '--additional-properties=packageName=mock,isGoSubmodule=true,withGoMod=false,enumClassPrefix=true',
  '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
]);

const go = {
  name: 'go',
  needs: ['go', 'java', 'mvn'],
  fetch: () => {
    const problem = existsSync(JAR) ? undefined : inOrder(FETCH_JAR);
    return problem && `openapi-generator cannot be had from Maven Central: ${problem}`;
  },
  prepare: () => {
    mkdirSync(GO, { recursive: true });
    cpSync(join(HERE, 'go'), GO, { recursive: true });
    return inOrder(GENERATE, command('go', ['build', '-o', 'flow', '.'], GO));
  },
  command: [join(GO, 'flow')],
};

export const CLIENTS = [heyApi, python, go];
