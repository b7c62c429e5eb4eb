// Posts each change of an environment to an application, as webhooks would: node webhooks.mjs http://localhost:3000/hook
const mock = process.env.CA_MOCK_URL ?? 'http://127.0.0.1:4720';
const stream = { headers: { accept: 'text/event-stream' } };
const { body } = await fetch(`${mock}/_mock/environments/current/events`, stream);
let rest = '';
for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
  const events = (rest + chunk).split('\n\n');
  rest = events.pop();
  for (const event of events) {
    const [, data] = /^data: (.*)$/m.exec(event) ?? [];
    const headers = { 'content-type': 'application/json' };
    if (data) await fetch(process.argv[2], { method: 'POST', headers, body: data });
  }
}
