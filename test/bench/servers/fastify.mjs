/** A peer: Fastify 5. It validates requests and writes replies by the schemas of the contract. */
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

const [, , port, dataFile] = process.argv;
const { list, accounts, schemas } = JSON.parse(readFileSync(dataFile, 'utf8'));
const byPair = new Map(accounts.map((account) => [`${account.connector} ${account.identifier}`, account]));

const app = fastify();
app.get('/api/v1/connected_accounts', { schema: schemas.list }, async () => list);
app.get('/api/v1/connected_accounts/auth', { schema: schemas.auth }, async ({ query }) => ({
  connected_account: byPair.get(`${query.connector} ${query.identifier}`),
}));
app.post('/api/v1/connected_accounts', { schema: schemas.create }, async ({ body }, reply) => {
  const { connector, identifier, connected_account } = body;
  const account = { ...accounts[0], ...connected_account, id: `ca_${byPair.size}`, connector, identifier };
  byPair.set(`${connector} ${identifier}`, account);
  reply.code(201);
  return { connected_account: account };
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
