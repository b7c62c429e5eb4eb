import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  drawFrom,
  environmentKey,
  type GeneratorState,
  seedGenerator,
} from '../../../src/engine/core/ids.ts';

test('behaviour I1: ids are the prefix and 18 digits, tokens 43 base64url characters', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const draw = drawFrom(seedGenerator(seed));
      expect(draw.id('ca')).toMatch(/^ca_[0-9]{18}$/);
      expect(draw.token()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    }),
  );
});

const drawThree = (state: GeneratorState) => {
  const draw = drawFrom(state);
  return { drawn: [draw.id('org'), draw.token()], state: draw.state() };
};

test('behaviour I1: the same seed draws the same ids, and a stored generator continues the sequence', () => {
  const first = drawThree(seedGenerator(7));
  expect(drawThree(seedGenerator(7))).toEqual(first);
  expect(drawThree(first.state).drawn).toEqual(drawThree(first.state).drawn);
  expect(drawThree(first.state).drawn).not.toEqual(first.drawn);
  expect(drawThree(seedGenerator(8)).drawn).not.toEqual(first.drawn);
});

test('a generator that drew nothing does not change', () => {
  const state = seedGenerator(1);
  expect(drawFrom(state).state()).toBe(state);
});

test('behaviour I1: ids with the same prefix ascend, whatever else the generator draws in between', () => {
  let state = seedGenerator(1);
  const [accounts, organizations]: [string[], string[]] = [[], []];
  for (let round = 0; round < 100; round += 1) {
    const draw = drawFrom(state);
    accounts.push(draw.id('ca'));
    organizations.push(draw.id('org'));
    accounts.push(draw.id('ca'));
    draw.token();
    state = draw.state();
  }
  expect(accounts).toEqual([...new Set(accounts)].sort());
  expect(organizations).toEqual([...new Set(organizations)].sort());
});

test.each<[string, string, boolean]>([
  ['ca', 'ca_900000000000000005', true],
  ['ca', 'org_900000000000000005', false],
  ['ca', 'ca_mine', false],
  ['ca', 'ca_9', false],
])('behaviour I1: an id with the prefix %s that is drawn after a scenario used %s is higher: %s', (prefix, written, isAbove) => {
  const draw = drawFrom(seedGenerator(1));
  draw.reserve(written);
  draw.reserve(`${prefix}_000000000000000001`); // the highest id counts, not the last
  const id = drawFrom(draw.state()).id(prefix);
  expect(id > written).toBe(isAbove);
  expect(id).toMatch(/^ca_[0-9]{18}$/);
});

test('behaviour I1: after the last number of 18 digits, ids have 19 digits', () => {
  const draw = drawFrom(seedGenerator(1));
  draw.reserve('usr_999999999999999999');
  expect(draw.id('usr')).toMatch(/^usr_1[0-9]{18}$/);
  draw.reserve('usr_1999999999999999999');
  expect(draw.id('usr')).toMatch(/^usr_2[0-9]{18}$/);
});

test('behaviour E5: the key of an environment is eleven base64url characters, unique and constant', () => {
  expect(environmentKey('env_1')).toMatch(/^[A-Za-z0-9_-]{11}$/);
  expect(environmentKey('env_1')).toBe(environmentKey('env_1'));
  expect(environmentKey('env_1')).not.toBe(environmentKey('env_2'));
});
