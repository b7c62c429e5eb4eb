import { createApp } from './app.js';

const { API_URL, API_TOKEN } = process.env;
const server = createApp({ url: API_URL, token: API_TOKEN }).listen(0, () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
);
