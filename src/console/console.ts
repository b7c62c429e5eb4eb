/** Serves the console, the references and the guide: files that the build makes from `browser/`. */
import { join } from 'node:path';
import express, { type IRouter, type RequestHandler, type Response } from 'express';

/**
 * The pages below `/_mock`, and the icon that browsers ask for by themselves; any other call is passed on.
 * @param folder what the build made: the pages, their `assets`, and `gzip` with the same files compressed
 */
export const mountConsole = (app: IRouter, folder: string): void => {
  const compressed = express.static(join(folder, 'gzip'), { ...OPTIONS, setHeaders: setCompressedHeaders });
  // The addresses in the page are relative to `/_mock/`.
  app.get('/_mock', ({ baseUrl }, response) => response.redirect(`${baseUrl}/_mock/`));
  app.get('/_mock/guide', ({ baseUrl }, response) => response.redirect(`${baseUrl}/_mock/guide/`));
  app.use('/_mock', (request, response, next) => {
    if (request.acceptsEncodings('gzip')) compressed(request, response, next);
    else next();
  });
  app.use('/_mock', express.static(folder, { ...OPTIONS, setHeaders }));
  app.get(['/_mock/', '/_mock/docs', '/_mock/guide/'], refuseUnbuilt);
  app.get('/_mock/guide/:page', (request, response, next) => {
    const [, name] = /^(.+)\.md$/i.exec(request.params.page) ?? [];
    if (name)
      return response.redirect(
        `${request.baseUrl}/_mock/guide/${name === 'index' ? '' : name.toLowerCase()}`,
      );
    setHeaders(response.status(404), 'index.html');
    response.sendFile(join(folder, 'guide/index.html'), { cacheControl: false }, (error) => error && next());
  });
  app.get('/favicon.ico', (_request, response, next) => {
    response.sendFile(join(folder, 'assets/icon.svg'), (error) => {
      if (error && !response.headersSent) next();
    });
  });
};

const OPTIONS = { extensions: ['html'], redirect: false, cacheControl: false };

/** A page loads only what this server serves, and no script or style is written into it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const setHeaders = (response: Response, file: string): void => {
  // Browsers ask every time, and get 304 as long as the server has the same version.
  response.set({
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept-Encoding',
  });
  if (file.endsWith('.html')) response.set('Content-Security-Policy', POLICY);
};

const setCompressedHeaders = (response: Response, file: string): void => {
  setHeaders(response, file);
  response.set('Content-Encoding', 'gzip');
};

/** Sources without a build have no pages yet. */
const refuseUnbuilt: RequestHandler = (_request, response) => {
  const error = {
    code: 'NOT_BUILT',
    message: 'The console and the API reference are not built.',
    hint: 'Run "npm run build" in the folder of the mock and load the page again. Everything else works without them.',
  };
  response.status(503).set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
  response.json({ error });
};
