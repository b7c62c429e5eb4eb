import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drawFrom, drawId, drawToken, environmentKey, seedGenerator } from '../../src/core/ids.ts';

test('behaviour I1: ids are the prefix and 18 digits, tokens 43 base64url characters', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const draw = drawFrom(seedGenerator(seed));
      expect(drawId(draw, 'ca')).toMatch(/^ca_[0-9]{18}$/);
      expect(drawToken(draw)).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(draw.fraction()).toBeGreaterThanOrEqual(0);
      expect(draw.fraction()).toBeLessThan(1);
    }),
  );
});

const drawThree = (state: readonly number[]) => {
  const draw = drawFrom(state);
  return { drawn: [drawId(draw, 'org'), drawToken(draw), draw.fraction()], state: draw.state() };
};

test('behaviour I1: the same seed draws the same, and a kept state goes on where it stood', () => {
  const first = drawThree(seedGenerator(7));
  expect(drawThree(seedGenerator(7))).toEqual(first);
  expect(drawThree(first.state).drawn).toEqual(drawThree(first.state).drawn);
  expect(drawThree(first.state).drawn).not.toEqual(first.drawn);
  expect(drawThree(seedGenerator(8)).drawn).not.toEqual(first.drawn);
});

test('a generator that was not asked stays where it is', () => {
  const state = seedGenerator(1);
  expect(drawFrom(state).state()).toBe(state);
});

test('ten thousand ids are ten thousand different ones', () => {
  const draw = drawFrom(seedGenerator(1));
  const drawn = Array.from({ length: 10_000 }, () => drawId(draw, 'usr'));
  expect(new Set(drawn).size).toBe(10_000);
});

test('behaviour E5: the key of an environment is eleven base64url characters, its own and always the same', () => {
  expect(environmentKey('env_1')).toMatch(/^[A-Za-z0-9_-]{11}$/);
  expect(environmentKey('env_1')).toBe(environmentKey('env_1'));
  expect(environmentKey('env_1')).not.toBe(environmentKey('env_2'));
});
