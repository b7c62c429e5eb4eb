import { expect, test } from '@jest/globals';
import { seedGenerator } from '../../src/core/ids.ts';
import { createFaults } from '../../src/environments/faults.ts';
import { preferredCode } from '../../src/environments/injected-error.ts';
import { refusal } from '../support/core.ts';

const faultsOf = () => createFaults(seedGenerator(1));

test('a fault strikes its own operation, `*` any', () => {
  const faults = faultsOf();
  faults.add({ operation: 'listConnections', error_code: 'INTERNAL_ERROR' });
  expect(faults.strike('getKeys')).toBeUndefined();
  expect(faults.strike('listConnections')?.error?.errorCode).toBe('INTERNAL_ERROR');
  faults.add({ operation: '*', abort: true });
  expect(faults.strike('getKeys')).toEqual({ fault: 'fault_2', delayMs: 0, abort: true });
});

test('`after` lets calls through first, `times` ends it', () => {
  const faults = faultsOf();
  faults.add({ operation: '*', abort: true, after: 2, times: 2 });
  const struck = Array.from({ length: 6 }, () => faults.strike('getKeys') !== undefined);
  expect(struck).toEqual([false, false, true, true, false, false]);
  expect(faults.list()).toMatchObject([{ calls: 6, strikes: 2 }]);
});

test('delays add up, and the first error ends the search so that the next fault is not used up', () => {
  const faults = faultsOf();
  faults.add({ operation: '*', delay_ms: 10 });
  faults.add({ operation: '*', error_code: 'UNIMPLEMENTED', delay_ms: 5, times: 1 });
  faults.add({ operation: '*', error_code: 'INTERNAL_ERROR', times: 1 });
  expect(faults.strike('getKeys')).toMatchObject({ fault: 'fault_2', delayMs: 15 });
  expect(faults.strike('getKeys')?.error?.errorCode).toBe('INTERNAL_ERROR');
  expect(faults.strike('getKeys')).toEqual({ fault: 'fault_1', delayMs: 10, abort: false });
});

test('probability draws from the seed: the same strikes after clear, and about as many as it says', () => {
  const faults = faultsOf();
  const strikes = () => {
    faults.clear();
    faults.add({ operation: '*', abort: true, probability: 0.25 });
    return Array.from({ length: 1_000 }, () => faults.strike('getKeys') !== undefined);
  };
  const first = strikes();
  expect(strikes()).toEqual(first);
  const count = first.filter(Boolean).length;
  expect(count).toBeGreaterThan(200);
  expect(count).toBeLessThan(300);
});

test('an injected 429 has Retry-After, other errors have not', () => {
  const faults = faultsOf();
  faults.add({ operation: 'getKeys', error_code: 'RATE_LIMITED' });
  faults.add({ operation: 'listConnections', error_code: 'NOT_FOUND' });
  expect(faults.strike('getKeys')?.error?.extras.headers).toEqual({ 'Retry-After': '1' });
  expect(faults.strike('listConnections')?.error?.extras.headers).toBeUndefined();
});

test('there are a thousand faults at most', () => {
  const faults = faultsOf();
  for (let count = 0; count < 1_000; count += 1) faults.add({ operation: '*', delay_ms: 0 });
  expect(refusal(() => faults.add({ operation: '*', delay_ms: 0 })).message).toContain('1000 faults');
});

test('what is listed is a copy', () => {
  const faults = faultsOf();
  const added = faults.add({ operation: '*', abort: true });
  faults.strike('getKeys');
  expect(added.strikes).toBe(0);
});

test.each([
  ['code=429', 'RATE_LIMITED'],
  ['CODE=404', 'NOT_FOUND'],
  ['respond-async, code="500"; x=1', 'INTERNAL_ERROR'],
  ['code=418', undefined],
  ['code=4290', undefined],
  ['xcode=404', undefined],
  ['', undefined],
  [undefined, undefined],
])('Prefer: %s asks for %s', (header, code) => {
  expect(preferredCode(header)).toBe(code);
});
