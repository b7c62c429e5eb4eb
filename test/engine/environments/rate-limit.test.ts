import { expect, test } from '@jest/globals';
import type { EnvironmentClock } from '../../../src/engine/core/clock.ts';
import { nextTurn } from '../../../src/engine/core/turns.ts';
import { createRateLimiter } from '../../../src/engine/environments/rate-limit.ts';
import { MINUTE, SECOND, START } from '../../support/core.ts';

const LIMIT = { requests: 2, per: MINUTE };
const frozen = (now: number): EnvironmentClock => ({ mode: 'frozen', now });

test('behaviour X2: a client over its limit must wait until the time span ends, in whole seconds', () => {
  const limiter = createRateLimiter();
  expect(limiter.take('a', LIMIT, frozen(START))).toBeUndefined();
  expect(limiter.take('a', LIMIT, frozen(START))).toBeUndefined();
  expect(limiter.take('a', LIMIT, frozen(START))).toBe(60);
  expect(limiter.take('b', LIMIT, frozen(START))).toBeUndefined();
  expect(limiter.take('a', LIMIT, frozen(START + 29.5 * SECOND))).toBe(31);
  expect(limiter.take('a', LIMIT, frozen(START + MINUTE))).toBeUndefined();
});

test('behaviour X2: while the clock is frozen, real time counts, so that waiting helps', async () => {
  const limiter = createRateLimiter();
  const quick = { requests: 1, per: 20 };
  expect(limiter.take('a', quick, frozen(START))).toBeUndefined();
  while (limiter.take('a', quick, frozen(START)) !== undefined) await nextTurn(); // without end if only the frozen clock counts
});

test('a new time span begins if the clock is set back, or starts to run', () => {
  const limiter = createRateLimiter();
  const single = { requests: 1, per: MINUTE };
  expect(limiter.take('a', single, frozen(START))).toBeUndefined();
  expect(limiter.take('a', single, frozen(START - MINUTE))).toBeUndefined();
  expect(limiter.take('a', single, { mode: 'running', offset: 0 })).toBeUndefined();
  expect(limiter.take('a', single, { mode: 'running', offset: 0 })).toBe(60);
});

test('10,000 clients are counted at a time, and the oldest make room for others', () => {
  const limiter = createRateLimiter();
  const single = { requests: 1, per: MINUTE };
  for (let client = 0; client <= 10_000; client += 1) limiter.take(`c${client}`, single, frozen(START));
  expect(limiter.take('c0', single, frozen(START))).toBeUndefined();
  expect(limiter.take('c10000', single, frozen(START))).toBe(60);
});
