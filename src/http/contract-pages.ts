/** The contract itself, for tools that read it: `/openapi.yaml` and `/openapi.json`. */
import type { IRouter } from 'express';
import { type Contract, readContractText } from '../openapi/load.ts';

/**
 * Serves the contract with the address of the running mock in place of the usual one (behaviour T11).
 * @param baseUrl gives that address
 */
export const mountContractPages = (app: IRouter, { document }: Contract, baseUrl: () => string): void => {
  const { url: usual = '' } = document.servers[0] ?? {};
  const serve = (path: string, type: string, readText: () => string): void => {
    app.get(path, (_request, response) => {
      response.set('Access-Control-Allow-Origin', '*');
      response.type(type).send(readText().replaceAll(usual, baseUrl()));
    });
  };
  serve('/openapi.yaml', 'application/yaml', readContractText);
  serve('/openapi.json', 'json', () => JSON.stringify(document));
};
