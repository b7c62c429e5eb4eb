/** Serves the pages that `npm run build` makes: the console, the references and the guide. */
import { join } from 'node:path';
import express, { type IRouter, type Response } from 'express';

/**
 * Serves the pages below `/_mock`, and the icon that browsers request. Passes other calls on.
 * @param basePath the path of the base URL; redirects begin with it unless another app mounts the mock
 * @param folder the output of the build: the pages, their `assets`, and `gzip` with the same files compressed
 */
export const mountConsole = (app: IRouter, folder: string, basePath: string): void => {
  const compressed = express.static(join(folder, 'gzip'), {
    ...OPTIONS,
    setHeaders: (response, file) => setHeaders(response.set('Content-Encoding', 'gzip'), file),
  });
  const plain = express.static(folder, { ...OPTIONS, setHeaders });
  // The relative addresses in a page work only if the address of the page ends with a slash.
  for (const page of ['/_mock', '/_mock/guide'])
    app.get(page, ({ baseUrl }, response) => response.redirect(`${baseUrl || basePath}${page}/`));
  app.use(OF_PAGES, (request, response, next) => {
    if (!request.acceptsEncodings('gzip')) plain(request, response, next);
    else compressed(request, response, (error) => (error ? next(error) : plain(request, response, next)));
  });
  app.get('/_mock/guide/:page', (_request, response, next) => {
    setHeaders(response.status(404), 'index.html');
    response.sendFile(join(folder, 'guide/index.html'), { cacheControl: false }, (error) => error && next());
  });
  app.get('/favicon.ico', (_request, response, next) => {
    response.sendFile(join(folder, 'assets/icon.svg'), (error) => error && next());
  });
};

/** Matches the prefix `/_mock` in the paths of pages and of their files. Other paths belong to the control plane. */
const OF_PAGES = /^\/_mock(?=\/(?:(?:index|docs)(?:\.html)?|(?:assets|guide)\/.*)?$)/;

const OPTIONS = { extensions: ['html'], redirect: false, cacheControl: false };

/** Pages load files from this server only, and have no inline scripts or styles. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const setHeaders = (response: Response, file: string): void => {
  // With `no-cache`, browsers ask for the file on each visit, and get 304 if the file has not changed.
  response.set({
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  if (file.endsWith('.html')) response.set('Content-Security-Policy', POLICY);
};
