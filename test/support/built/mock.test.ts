import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createMock, Refusal, ScenarioError } from '#mock';

const failureOf = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('The call succeeded.');
};

const failures = {
  scenario: failureOf(() => createMock({ scenario: { clock: 'never' } })),
  option: failureOf(() => createMock({ defaults: { accessTokenLifetime: -1 } } as never)),
  node: failureOf(() => readFileSync('/missing')),
};

test('an error that the mock throws is an instance of the classes that the test file imports', () => {
  expect(failures.scenario).toBeInstanceOf(ScenarioError);
  expect(failures.scenario).toBeInstanceOf(Refusal);
  expect(failures.option).toBeInstanceOf(TypeError);
  for (const failure of Object.values(failures)) expect(failure).toBeInstanceOf(Error);
});

test('the classes of errors stay apart', () => {
  class Own extends Error {}
  expect(new Own()).toBeInstanceOf(Error);
  for (const failure of Object.values(failures)) expect(failure).not.toBeInstanceOf(Own);
  expect(failures.option).not.toBeInstanceOf(RangeError);
  expect(failures.option).not.toBeInstanceOf(Refusal);
});

test('an unexpected error shows the line of the sources that threw it', () => {
  expect(failures.scenario).toHaveProperty(
    'stack',
    expect.stringMatching(/src\/engine\/scenario\/source[.]ts:\d+:\d+/),
  );
});
