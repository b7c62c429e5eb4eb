/** The contract itself, for tools that read it: `/openapi.yaml` and `/openapi.json` (interface.md, Control plane). */
import type { IRouter } from 'express';
import { type Contract, readContractText } from '../openapi/load.ts';

/**
 * Serves the contract with the address of the running mock in place of the usual one (behaviour T11).
 * @param baseUrl gives that address
 */
export const mountContractPages = (app: IRouter, { document }: Contract, baseUrl: () => string): void => {
  const [own, ...others] = document.servers;
  app.use(['/openapi.yaml', '/openapi.json'], (_request, response, next) => {
    response.set('Access-Control-Allow-Origin', '*');
    next();
  });
  app.get('/openapi.yaml', (_request, response) => {
    response.type('application/yaml').send(readContractText().replace(String(own?.url), baseUrl()));
  });
  app.get('/openapi.json', (_request, response) => {
    response.json({ ...document, servers: [{ ...own, url: baseUrl() }, ...others] });
  });
};
