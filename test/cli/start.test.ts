/** `ca-mock start` as a process: what it prints, what it serves, and how it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { runCommand, signals } from '../support/command.ts';
import { folder, program } from './program.ts';

const LIST = '/api/v1/connected_accounts';
const asDev = { headers: { authorization: 'Bearer dev-token' } };

test('without a terminal the ready line is JSON, and the mock keeps running when its reader stops after it', async () => {
  const mock = await program.serve(['--port', '0']);
  expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  mock.closeOutput();
  for (const _ of [1, 2, 3]) expect((await fetch(mock.url + LIST, asDev)).status).toBe(200);
  expect(await mock.stop()).toMatchObject({ code: 0, stderr: '' });
});

test.each<[string, boolean, readonly string[], RegExp]>([
  ['pretty on a terminal', true, [], /^ca-mock is ready at (http:\S+)\n/],
  ['JSON elsewhere', false, [], /^\{"event":"ready","url":"(http:[^"]+)"\}\n/],
  ['as --log says', true, ['--log=silent'], /^(http:\S+)\n$/],
])('the log style is %s, and a signal ends the mock', async (_what, isTTY, flags, ready) => {
  const { once, send } = signals();
  const { code, out, err } = await runCommand(['start', '--port=0', ...flags], {
    isTTY,
    once,
    onOut: () => send('SIGTERM'),
  });
  expect([code, out, err]).toEqual([0, expect.stringMatching(ready), '']);
  await expect(fetch(ready.exec(out)?.[1] ?? '')).rejects.toThrow('fetch failed');
});

test('a Node that cannot compile checks gets the flag to leave out', async () => {
  const env = { NODE_OPTIONS: '--disallow-code-generation-from-strings' };
  const { code, stderr } = await program.run(['--port', '0'], { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Node runs with --disallow-code-generation-from-strings, .* Start it without this flag/,
  );
});

test('without a named scenario, the mock serves ca-mock.yaml of the working directory', async () => {
  writeFileSync(join(folder, 'ca-mock.yaml'), 'environments: { mine: { access_tokens: [my-token] } }\n');
  const mock = await program.serve(['--port', '0'], { cwd: folder });
  const response = await fetch(mock.url + LIST, { headers: { authorization: 'Bearer my-token' } });
  expect(response.status).toBe(200);
  await mock.stop();
});

test('the program exits with 1 before the mock listens if the scenario is unknown or invalid', async () => {
  const unknown = await program.run(['--port', '0', '--scenario', 'defualt']);
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toMatch(/^there is no scenario "defualt". Did you mean "default"\?.*\n$/);
  writeFileSync(join(folder, 'bad.yaml'), 'environments:\n  development:\n    user: []\n');
  const faulty = await program.run(['--port', '0', '--scenario', 'bad.yaml'], { cwd: folder });
  expect(faulty).toMatchObject({ code: 1, stdout: '' });
  expect(faulty.stderr).toMatch(/^bad\.yaml:3:5: .*\n$/);
});

test.each([
  'SIGINT',
  'SIGTERM',
] as const)('after %s the mock finishes a running request, and exits with 0', async (signal) => {
  const mock = await program.serve(['--port', '0', '--log', 'json']);
  const { port } = new URL(mock.url);
  const body = '{"connector":"mail","identifier":"new@acme.test"}';
  const socket = connect(Number(port), '127.0.0.1');
  const answer = text(socket);
  socket.write(
    `POST ${LIST} HTTP/1.1\r\nHost: mock\r\nConnection: close\r\nAuthorization: Bearer dev-token\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  // Once this other call has been answered, the server has received the first half of the request.
  await fetch(mock.url + LIST, asDev);
  const finished = mock.stop(signal);
  await refused(Number(port));
  socket.write(body.slice(5));
  expect(await answer).toContain('HTTP/1.1 201');
  expect((await finished).code).toBe(0);
});

/** Resolves when nothing listens on the port any more. */
const refused = async (port: number): Promise<void> => {
  for (let isOpen = true; isOpen; ) {
    const socket = connect(port, '127.0.0.1');
    isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
  }
};

test('a full disk under standard output does not end the mock; the mock reports the problem once', async () => {
  const full = openSync('/dev/full', 'w');
  const mock = spawn(process.execPath, [join(program.folder, 'cli.js'), '--port', '0', '--log', 'json'], {
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  const ended = once(mock, 'close');
  mock.stderr?.setEncoding('utf8');
  const [said] = await once(mock.stderr ?? mock, 'data');
  expect(said).toBe('Cannot write to standard output: ENOSPC.\n');
  expect(mock.exitCode).toBe(null);
  mock.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
