/** A document of a few lines: what Preact and the console ask of a browser's, without styles, layout and focus. */

type Handler = (event: object) => unknown;

/** An element, or a text if it has no name. Preact sets the members that it finds here, and attributes otherwise. */
export class Part {
  readonly childNodes: Part[] = [];
  readonly attributes: Record<string, string> = {};
  readonly listeners: (readonly [name: string, handler: Handler])[] = [];
  readonly style = {};
  readonly nodeType: number;
  parentNode: Part | null = null;
  value: unknown = '';
  checked = false;

  constructor(
    readonly localName: string,
    public data: unknown = '',
  ) {
    this.nodeType = localName === '' ? 3 : 1;
  }
  get firstChild(): Part | null {
    return this.childNodes[0] ?? null;
  }
  get nextSibling(): Part | null {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }
  insertBefore(part: Part, next: Part | null): void {
    part.remove();
    part.parentNode = this;
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, part);
  }
  remove(): void {
    const all = this.parentNode?.childNodes;
    all?.splice(all.indexOf(this), 1);
    this.parentNode = null;
  }
  setAttribute(name: string, value: unknown): void {
    this.attributes[name] = String(value);
  }
  removeAttribute(name: string): void {
    delete this.attributes[name];
  }
  addEventListener(name: string, handler: Handler): void {
    this.listeners.push([name, handler]);
  }
  removeEventListener(name: string, handler: Handler): void {
    this.listeners.splice(this.listeners.findIndex((one) => one[0] === name && one[1] === handler) >>> 0, 1);
  }
  querySelector = () => null;
  querySelectorAll = () => [];
  closest = () => null;
  matches: unknown = () => false;

  /** This part and all in it, in their order. */
  get all(): readonly Part[] {
    return [this, ...this.childNodes.flatMap((part) => part.all)];
  }
  get text(): string {
    const texts = this.nodeType === 3 ? [String(this.data)] : this.childNodes.map((part) => part.text);
    return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
  }
  /** Sends an event to this part and those around it. Preact registers some names with a capital letter. */
  fire(event: string, more: object = {}): void {
    const sent = { ...NOTHING, target: this, ...more };
    for (const [type, handler] of [...this.listeners])
      if (type.toLowerCase() === event) handler.call(this, { type, currentTarget: this, ...sent });
    this.parentNode?.fire(event, sent);
  }
}

const NOTHING = Object.fromEntries(
  ['preventDefault', 'stopPropagation', 'focus', 'select', 'click', 'showModal', 'close', 'hidePopover']
    .concat('showPopover', 'scrollIntoView', 'getBoundingClientRect')
    .map((name) => [name, () => ({})]),
);
Object.assign(Part.prototype, NOTHING);
