/** The console's own modules on a real mock, without a browser: `test/browser` has the tests that need one. */
import { afterAll, jest } from '@jest/globals';
import { Part } from './document.ts';

/** How many turns of the event loop without a call under way make the page quiet. */
const TURNS = 40;

const takeTurns = async (): Promise<void> => {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
};

/** Makes calls as a browser does. A whole answer arrives at once, except for the stream of events. */
const startCalls = (base: string, calls: string[]) => {
  const { fetch } = globalThis;
  let waiting = 0;
  const call = async (asked: Request | string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(asked instanceof Request ? asked : new URL(asked, base), init);
    const path = request.url.replace(base, '');
    if (path.startsWith('live')) return fetch(request);
    const body = await request.clone().text();
    calls.push([request.method, path, ...(body === '' ? [] : [body])].join(' '));
    waiting += 1;
    const asking = fetch(request);
    try {
      const answer = await asking;
      const bytes = await answer.arrayBuffer();
      return new Response(bytes.byteLength > 0 ? bytes : null, answer);
    } finally {
      waiting -= 1;
    }
  };
  return { call, isWaiting: () => waiting > 0 };
};

/** The address of the page, which the page and the user change. */
const startLocation = (given: URL) => {
  const { pathname, search, hash, origin } = given;
  const window = new Part('window');
  const location = { pathname, search, hash, origin, assign: (to: string) => goTo(to) };
  const replaceState = (_state: unknown, _title: string, to: string): void => {
    location.hash = new URL(to, given).hash;
  };
  const goTo = (to: string): void => {
    replaceState(undefined, '', to);
    window.fire('hashchange');
  };
  const addEventListener = window.addEventListener.bind(window);
  const history = { pushState: replaceState, replaceState };
  return { goTo, globals: { location, history, addEventListener } };
};

const makeDocument = (root: Part, baseURI: string) =>
  Object.assign(new Part('document'), {
    ...{ title: '', hidden: false, baseURI },
    createElementNS: (_space: string, name: string) => new Part(name),
    createElement: (name: string) => new Part(name),
    createTextNode: (text: string) => new Part('', text),
    getElementById: () => root,
  });

/** What else the console asks of a browser. */
const REST = {
  ...{ window: globalThis, Element: Part, HTMLElement: Part, CSS: {}, innerHeight: 0, innerWidth: 0 },
  matchMedia: () => Object.assign(new Part('media'), { matches: false }),
  MutationObserver: class {
    observe(): void {}
  },
  FormData: class extends Map<string, unknown> {
    constructor({ all }: Part) {
      super(all.flatMap(({ attributes: { name }, value }) => (name ? [[name, value] as const] : [])));
    }
  },
  requestAnimationFrame: setImmediate,
  cancelAnimationFrame: clearImmediate,
};

/**
 * Opens a page of the console; once for each test file, since its modules keep state.
 * @param address the address in the browser, such as `http://127.0.0.1:4720/_mock/#/development/users`
 */
export const openPage = async (address: string) => {
  jest.useFakeTimers({
    doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'],
  });
  const root = new Part('div');
  /** What the page called (method, path and body, but for the stream), copied, and wanted to have confirmed: all is. */
  const record: Record<'calls' | 'copied' | 'asked', string[]> = { calls: [], copied: [], asked: [] };
  const url = new URL(address);
  const { goTo, globals } = startLocation(url);
  const document = makeDocument(root, new URL('.', url).href);
  const { call, isWaiting } = startCalls(document.baseURI, record.calls);
  const stored = new Map<string, string>();
  const browser = {
    ...{ ...REST, ...globals, document, fetch: call },
    sessionStorage: { getItem: (name: string) => stored.get(name) ?? null, setItem: stored.set.bind(stored) },
    navigator: { clipboard: { writeText: async (text: string) => record.copied.push(text) } },
    confirm: (question: string) => record.asked.push(question) > 0,
    open: () => ({ location: { replace: () => {} } }),
  };
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  const preact = 'preact'; // a variable, since its types would bring a browser's types
  const { render } = await import(preact);
  afterAll(() => {
    render(null, root); // closes the stream, and ends what the page waits for
    return takeTurns();
  });
  const file = '../../src/console/browser/main.tsx'; // a variable, since the sources of the browser have types of their own
  await import(file);
  /** The calls since the last time that may have changed something. */
  const sent = (): readonly string[] => record.calls.splice(0).filter((each) => !each.startsWith('GET'));
  const page = {
    ...record,
    sent,
    document,
    location: globals.location,
    ...userOf(root, isWaiting, goTo),
  };
  await page.settle();
  return page;
};

/** What a user sees and does. */
const userOf = (root: Part, isWaiting: () => boolean, goTo: (to: string) => void) => {
  /** Waits until nothing is under way, and lets the page's timers of up to two seconds run. */
  const settle = async (): Promise<void> => {
    for (const pause of [1_000, 1_000, 0]) {
      do await takeTurns();
      while (isWaiting());
      jest.advanceTimersByTime(pause);
    }
  };
  /** The last element with this name: its label, its `name` or its text. */
  const find = (name: string): Part => {
    const isMeant = ({ attributes, text, nodeType, localName, parentNode }: Part): boolean => {
      const label = /^(?:input|select)$/.test(localName) ? parentNode?.firstChild?.text : undefined;
      return nodeType === 1 && [attributes['aria-label'], label, attributes.name, text].includes(name);
    };
    const found = root.all.findLast(isMeant);
    if (!found) throw new Error(`The page has no "${name}": ${root.text}`);
    return found;
  };
  const fire = async (name: string, event: string, more?: object): Promise<void> => {
    find(name).fire(event, more);
    await settle();
  };
  return {
    ...{ root, settle, find, fire },
    /** The text of the first element with this tag. */
    textOf: (tag: string): string => root.all.find(({ localName }) => localName === tag)?.text ?? '',
    go: (to: string): Promise<void> => {
      goTo(to);
      return settle();
    },
    /** The notices at the edge of the page. */
    notices: (): string => root.childNodes.at(-1)?.text ?? '',
    press: (name: string): Promise<void> => fire(name, 'click'),
    submit: (name: string): Promise<void> => fire(name, 'submit'),
    write: (name: string, value: string, event = 'input'): Promise<void> => {
      find(name).value = value;
      return fire(name, event);
    },
  };
};
