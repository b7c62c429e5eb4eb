/** The API reference: Swagger UI over the contract this server serves, or over the control plane's own document. */
import './docs.css';
import { isObject, markInferred } from './docs/inferred.ts';
import { call, type Schemas, send } from './live/api.ts';

/** What we use of Swagger UI, which is a script of its own. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, value: string): void;
  preauthorizeBasic(scheme: string, user: string, password: string): void;
}

declare const SwaggerUIBundle: (options: object) => SwaggerUi;

const isControl = new URLSearchParams(location.search).get('of') === 'control';

const tell = (text: string): void => {
  const notice = document.getElementById('notice');
  if (notice) notice.textContent = text;
};

const readDocument = async (): Promise<object> => {
  const response = await send('GET', isControl ? 'openapi.json' : '../openapi.json');
  const document: unknown = await response.json();
  if (!isObject(document)) throw new Error('The document is no object.');
  // Calls go to the server that this page came from, under whatever name it was reached.
  return isControl ? document : { ...document, servers: [{ url: location.origin }] };
};

/** Puts the first environment's credentials where `Try it out` takes them from. */
const fillIn = async (ui: SwaggerUi): Promise<void> => {
  const token = sessionStorage.getItem('control-token');
  if (isControl) {
    if (token !== null) ui.preauthorizeApiKey('controlToken', token);
    return;
  }
  const { environments } = await call<{ environments: Schemas['Environment'][] }>('GET', 'environments');
  const { name, client_id = '', client_secret = '', access_token = '' } = environments[0] ?? { name: '' };
  ui.preauthorizeApiKey('bearerAuth', access_token);
  ui.preauthorizeBasic('clientBasic', client_id, client_secret);
  tell(`A token of ${name} is filled in: open an operation and press Execute.`);
};

const show = (document: object): void => {
  const ui = SwaggerUIBundle({
    spec: markInferred(document),
    domNode: window.document.getElementById('reference'),
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () =>
      fillIn(ui).catch((error: Error) =>
        tell(`No token is filled in. ${error.message} The console asks for it.`),
      ),
  });
};

window.document
  .querySelector(`[data-of=${isControl ? 'control' : 'api'}]`)
  ?.setAttribute('aria-current', 'page');
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = (): boolean => window.document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
readDocument().then(show, (error: Error) => tell(error.message));
