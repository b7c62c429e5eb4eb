/** The contract itself, for tools that read it: `/openapi.yaml` and `/openapi.json` (interface.md, Control plane). */
import express, { type Router } from 'express';
import { type Contract, readContractText } from '../openapi/load.ts';

export const createContractPages = ({ document }: Contract): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(['/openapi.yaml', '/openapi.json'], (_request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    next();
  });
  router.get('/openapi.yaml', (_request, response) => {
    response.type('application/yaml').send(readContractText());
  });
  router.get('/openapi.json', (_request, response) => {
    response.json(document);
  });
  return router;
};
