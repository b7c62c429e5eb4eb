import { createApp } from './app.js';

const { CA_MOCK_URL, CA_MOCK_CLIENT_ID, CA_MOCK_CLIENT_SECRET, PORT = '3000' } = process.env;

createApp({
  baseUrl: CA_MOCK_URL,
  clientId: CA_MOCK_CLIENT_ID,
  clientSecret: CA_MOCK_CLIENT_SECRET,
}).listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
