/** Environment variables of all commands, and the end of a run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createMock } from '#mock';
import { COMMANDS } from '../../src/cli/commands.ts';
import { variableName } from '../../src/library/option.ts';
import { judgeRun } from '../../src/library/run.ts';
import { RUN_OPTIONS } from '../../src/library/run-options.ts';
import { readVariables, unknownVariables } from '../../src/library/variables.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();

test('every variable of a command is known, and one with a letter too many is named with the right one (behaviour N1)', () => {
  const names = [...COMMANDS.values()].flatMap(({ options }) => Object.keys(options).map(variableName));
  for (const name of new Set([...names, 'CA_MOCK_URL', 'CA_MOCK_ACCESS_TOKEN', 'CA_MOCK_KEEP'])) {
    expect(unknownVariables({ [name]: '1' })).toEqual([]);
    const [warning] = unknownVariables({ [`${name}X`]: '1' });
    expect(warning).toContain(`Nothing reads the variable ${name}X. Did you mean "${name}`);
  }
});

test('what container platforms set for a service with the name ca-mock counts as absent', () => {
  const variables = {
    CA_MOCK_PORT: 'tcp://172.17.0.2:4720',
    CA_MOCK_PORT_4720_TCP: 'tcp://172.17.0.2:4720',
    CA_MOCK_PORT_4720_TCP_ADDR: '172.17.0.2',
    CA_MOCK_SERVICE_HOST: '10.0.0.1',
    CA_MOCK_SERVICE_PORT_HTTP: '4720',
    CA_MOCK_NAME: '/app/ca-mock',
  };
  expect(unknownVariables(variables)).toEqual([]);
  expect(readVariables(RUN_OPTIONS, { ...variables, CA_MOCK_STRICT: 'True' })).toEqual({ strict: true });
});

test('only a run that passed writes its record; a run that failed says that it did not (behaviour N3)', async () => {
  await using mock = createMock({ log: 'silent' });
  const used = join(folder, 'used.json');
  let said = '';
  const stderr = { write: (text: string) => (said += text) };
  const { record } = await judgeRun(mock, { coverage: 'off', used }, stderr);
  record(false);
  expect(existsSync(used)).toBe(false);
  expect(said).toBe(`${used} was not written, because the run failed.\n`);
  record(true);
  expect(existsSync(used)).toBe(true);
});
