/** The guide's program that turns events into webhooks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { startMock } from '#mock';

test('webhooks.mjs posts a change of the environment to the application', async () => {
  await using mock = await startMock({ port: 0, log: 'silent' });
  const env = await mock.environment();
  const application = createServer();
  const received = new Promise<object>((resolve) => {
    application.on('request', async (request, response) => {
      const event = (await json(request)) as { type?: string }; // the cast is safe: the test compares what came
      response.end();
      if (JSON.stringify(event).includes('ca_100000000000000001')) resolve(event);
    });
  });
  await once(application.listen(0, '127.0.0.1'), 'listening');
  const address = application.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const program = spawn(
    process.execPath,
    ['test/examples/webhooks.mjs', `http://127.0.0.1:${port}/webhooks`],
    { env: { ...process.env, CA_MOCK_URL: mock.url }, stdio: 'ignore' },
  );
  await env.accounts.disconnect('mail/ada@acme.test');
  expect(JSON.stringify(await received)).toContain('DISCONNECTED');
  program.kill();
  await once(program, 'exit');
  application.closeAllConnections();
  application.close();
});
