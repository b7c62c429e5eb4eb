import { defineConfig } from 'vite';

const target = process.env.CA_MOCK_URL ?? 'http://127.0.0.1:4720';
const headers = { authorization: `Bearer ${process.env.CA_MOCK_ACCESS_TOKEN ?? 'dev-token'}` };

export default defineConfig({
  server: { proxy: { '/api': { target, headers, changeOrigin: true } } },
});
