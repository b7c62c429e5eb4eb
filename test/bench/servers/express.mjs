/** A peer: Express 5 alone. A mock as people write it by hand: a map, without validation and tokens. */
import { readFileSync } from 'node:fs';
import express from 'express';

const [, , port, dataFile] = process.argv;
const { list, accounts } = JSON.parse(readFileSync(dataFile, 'utf8'));
const byPair = new Map(accounts.map((account) => [`${account.connector} ${account.identifier}`, account]));

const app = express();
app.use(express.json());
app.get('/api/v1/connected_accounts', (_request, response) => {
  response.json(list);
});
app.get('/api/v1/connected_accounts/auth', ({ query }, response) => {
  response.json({ connected_account: byPair.get(`${query.connector} ${query.identifier}`) });
});
app.post('/api/v1/connected_accounts', ({ body }, response) => {
  const { connector, identifier, connected_account } = body;
  const account = { ...accounts[0], ...connected_account, id: `ca_${byPair.size}`, connector, identifier };
  byPair.set(`${connector} ${identifier}`, account);
  response.status(201).json({ connected_account: account });
});
app.listen(Number(port), '127.0.0.1');
