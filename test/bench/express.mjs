/**
 * A peer: Express 5 as people write a mock by hand, a map without tokens; and if a contract is given, with
 * express-openapi-validator as its README shows it.
 */
import { readFileSync } from 'node:fs';
import express from 'express';
import OpenApiValidator from 'express-openapi-validator';

const [, , port, dataFile, contractFile] = process.argv;
const { list, accounts } = JSON.parse(readFileSync(dataFile, 'utf8'));
const byPair = new Map(accounts.map((account) => [`${account.connector} ${account.identifier}`, account]));

const app = express();
app.use(express.json());
if (contractFile)
  app.use(
    OpenApiValidator.middleware({ apiSpec: contractFile, validateRequests: true, validateResponses: true }),
  );
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
app.use((error, _request, response, _next) => {
  response.status(error.status || 500).json({ message: error.message, errors: error.errors });
});
app.listen(Number(port), '127.0.0.1');
