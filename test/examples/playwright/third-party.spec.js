import { createServer } from 'node:http';
import { expect, test } from 'connected-accounts-mock/playwright';

test('another origin sees no header of the mock, so its calls need no CORS preflight', async ({ page }) => {
  const seen = [];
  const thirdParty = createServer(({ method, headers }, response) => {
    seen.push([method, headers.baggage]);
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('hello');
  });
  await new Promise((resolve) => thirdParty.listen(0, resolve));
  await page.goto('/');
  const url = `http://localhost:${thirdParty.address().port}/`;
  const said = await page.evaluate(async (address) => (await fetch(address)).text(), url);
  expect([said, seen]).toEqual(['hello', [['GET', undefined]]]);
  thirdParty.close();
});
