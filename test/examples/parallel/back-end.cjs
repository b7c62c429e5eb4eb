// A back end that knows nothing of tests. Its tracer is loaded before it: node --import ./sentry.js back-end.cjs
const { createServer } = require('node:http');

const { CA_MOCK_URL, CA_MOCK_ACCESS_TOKEN } = process.env;

const server = createServer(async (_request, response) => {
  const headers = { authorization: `Bearer ${CA_MOCK_ACCESS_TOKEN}` };
  const answer = await fetch(`${CA_MOCK_URL}/api/v1/connections`, { headers });
  response.writeHead(answer.status).end(await answer.text());
});
server.listen(0, () => console.log(`http://127.0.0.1:${server.address().port}`));
