/**
 * A response of the platform's own kind whose body is already here: reading it waits for no stream. To be imported when
 * first needed: with the global `Response` node reads the module that it comes from, and no start should wait for that.
 */
import { STATUS_CODES } from 'node:http';
import type { Received } from './capture.ts';

/** Where a response came from, as one from the network knows it. */
export interface Origin {
  readonly url: URL;
  readonly isRedirected: boolean;
}

/** What is left to the platform: the head of a response. The rest is answered here. */
type Head = Pick<Response, 'ok' | 'status' | 'statusText'>;
const PlatformHead: new (...given: ConstructorParameters<typeof Response>) => Head = Response;

/**
 * The platform makes a stream of every body, and then reads all of that to give back a text that was there from the
 * beginning: more work than all the rest of a call. So the text is kept as it came, and the platform's own body is made
 * of it when more than `text` or `json` is asked for; from then on that one answers everything.
 */
class InProcessResponse extends PlatformHead implements Response {
  readonly #held: string | Uint8Array | null;
  readonly #received: Received['headers'];
  readonly #origin: Origin;
  #headers: Headers | undefined;
  #isUsed = false;
  #opened: Response | undefined;

  constructor({ status, headers, body }: Received, origin: Origin) {
    super(null, { status, statusText: STATUS_CODES[status] ?? '' });
    this.#received = headers;
    this.#origin = origin;
    if (body instanceof ReadableStream) {
      this.#held = null;
      this.#opened = new Response(body, { headers: this.headers });
    } else this.#held = body;
  }

  /** Made when first looked at. */
  get headers(): Headers {
    this.#headers ??= new Headers(this.#received as [string, string][]); // its type names only tuples to write to
    return this.#headers;
  }

  get url(): string {
    const { href, hash } = this.#origin.url;
    return hash ? href.slice(0, -hash.length) : href;
  }

  /** As one from the network has it. */
  get type(): Response['type'] {
    return 'basic';
  }

  get redirected(): boolean {
    return this.#origin.isRedirected;
  }

  get body(): Response['body'] {
    return this.#open().body;
  }

  get bodyUsed(): boolean {
    return this.#opened?.bodyUsed ?? this.#isUsed;
  }

  async text(): Promise<string> {
    return this.#take() ?? this.#open().text();
  }

  async json(): Promise<unknown> {
    const text = this.#take();
    return text === undefined ? this.#open().json() : JSON.parse(text);
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#open().arrayBuffer();
  }

  blob(): Promise<Blob> {
    return this.#open().blob();
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.arrayBuffer());
  }

  formData(): ReturnType<Response['formData']> {
    return this.#open().formData();
  }

  clone(): Response {
    const { status, headers } = this;
    const body = this.#opened || this.#isUsed ? this.#open().clone().body : this.#held;
    return new InProcessResponse({ status, headers: [...headers], body }, this.#origin);
  }

  /** The text, once, as long as nobody has asked for the platform's body; undefined if that one has to say. */
  #take(): string | undefined {
    const held = this.#held;
    if (this.#opened || this.#isUsed || typeof held !== 'string' || !isPlain(held)) return undefined;
    this.#isUsed = true;
    return held;
  }

  /** The platform's own body of the same bytes, read already if this one was. */
  #open(): Response {
    if (this.#opened) return this.#opened;
    const held = this.#held;
    // Bytes: for a text the platform would add a content type that was not sent.
    const bytes = typeof held === 'string' ? Buffer.from(held) : held;
    const opened = new Response(bytes, { headers: this.headers });
    if (this.#isUsed) void opened.text();
    this.#opened = opened;
    return opened;
  }
}

/** Whether a text is the same after it was made into bytes and back: no half of a pair, no mark at its beginning. */
const isPlain = (text: string): boolean => text.charCodeAt(0) !== 0xfeff && text.isWellFormed();

/** @throws RangeError for a status that no response can have */
export const toResponse = (received: Received, origin: Origin): Response =>
  new InProcessResponse(received, origin);
