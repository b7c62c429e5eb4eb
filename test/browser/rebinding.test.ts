import { expect, test } from '@jest/globals';
import { setStage } from './support/browser.ts';

const stage = setStage();

test('a page whose host name its owner pointed at this machine cannot call the control plane', async () => {
  stage.forgive(/^outside: http:\/\/rebound\.test|403 \(Forbidden\)/);
  const { mock } = stage.server;
  const page = await stage.open(`http://rebound.test:${new URL(mock.url).port}/keys`);
  const ask = (method: string, path: string): Promise<number> =>
    page.evaluate(`fetch('/_mock${path}', { method: '${method}' }).then(({ status }) => status)`);
  expect(await ask('GET', '/environments')).toBe(403);
  expect(await ask('POST', '/environments/development/reset')).toBe(403);
  expect(await page.evaluate("fetch('/keys').then(({ status }) => status)")).toBe(200);
});
