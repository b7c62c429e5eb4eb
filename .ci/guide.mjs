/**
 * Makes the pages below `/_mock/guide` of `src/guide/*.md` and the rules: HTML that needs no script to be read, and an
 * index for the search. The order of the pages is that of the links in `src/guide/index.md`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, posix } from 'node:path';
import { Marked } from 'marked';

const FOLDER = 'src/guide';
const RULES = 'src/RULES.md';
/** What the guide may link to beside its own pages, which the server serves at the same place as seen from a page. */
const SERVED = ['openapi.yaml'];

/** @param target folder to write to */
export const writeGuide = async (target) => {
  const home = await readPage(`${FOLDER}/index.md`);
  const others = await Promise.all(home.pages.map(readPage));
  const pages = [home, ...others];
  checkLinks(pages);
  await mkdir(target, { recursive: true });
  await Promise.all(pages.map((page) => writeFile(`${target}/${page.name}.html`, layOut(page, pages))));
  await writeFile(`${target}/search.json`, JSON.stringify(pages.flatMap(({ sections }) => sections)));
};

const nameOf = (file) => (file === RULES ? 'rules' : basename(file, '.md'));

const addressOf = (name) => (name === 'index' ? './' : name);

/** A page: its HTML, what it links to, and its sections as the search knows them. */
const readPage = async (file) => {
  const name = nameOf(file);
  const markdown = readRules(await readFile(file, 'utf8'));
  const page = { file, name, title: '', pages: [], links: [], ids: new Set(), sections: [] };
  page.html = new Marked({ renderer: renderInto(page), hooks: {} }).parse(markdown);
  page.title = page.sections[0].heading;
  for (const section of page.sections) section.page = page.title;
  return page;
};

/** The mark before a rule (`<a id="A4"></a>**A4**`) as a link to itself, which a reader can copy. */
const readRules = (markdown) =>
  markdown.replaceAll(/<a id="([A-Z]\d+)"><\/a>\*\*\1\*\*/g, (_mark, rule) => `[${rule}](#${rule})`);

const RULE = /^#([A-Z]\d+)$/;

const renderInto = (page) => {
  const addId = (id) => {
    if (page.ids.has(id)) throw new Error(`${page.file} has two places named "${id}".`);
    page.ids.add(id);
  };
  const startSection = (heading, id) =>
    page.sections.push({ heading, href: addressOf(page.name) + (id === '' ? '' : `#${id}`), text: '' });
  const addText = (text) => {
    if (page.sections.length > 0) page.sections.at(-1).text += `${text.replaceAll(/\s+/g, ' ')} `;
  };
  return {
    heading({ tokens, depth, text }) {
      const plain = text.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
      if (depth === 1) {
        startSection(plain, '');
        return `<h1>${this.parser.parseInline(tokens)}</h1>`;
      }
      const id = idOf(plain);
      addId(id);
      startSection(plain, id);
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(plain)}">#</a></h${depth}>`;
    },
    link({ href, tokens, text }) {
      const rule = RULE.exec(href);
      if (rule && page.file === RULES) {
        const id = rule[1].toLowerCase();
        addId(id);
        startSection(rule[1], id);
        return `<a class="rule" id="${id}" href="#${id}">${rule[1]}</a>`;
      }
      addText(text);
      return `<a href="${escapeHtml(follow(page, href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    code({ text, lang }) {
      addText(text);
      const [, name] = /\bname=(\S+)/.exec(lang ?? '') ?? [];
      const caption = name ? `<figcaption>${escapeHtml(name)}</figcaption>` : '';
      return `<figure>${caption}<pre><code>${escapeHtml(text)}\n</code></pre></figure>\n`;
    },
    codespan({ text }) {
      addText(text);
      return `<code>${escapeHtml(text)}</code>`;
    },
    text(token) {
      if (token.tokens) return this.parser.parseInline(token.tokens);
      addText(token.raw);
      return escapeHtml(token.text);
    },
    table(token) {
      const row = (cells, tag) =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
      return `<div class="scroll"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows
        .map((cells) => row(cells, 'td'))
        .join('')}</tbody></table></div>`;
    },
    html({ text }) {
      if (/^\s*<!--.*-->\s*$/s.test(text)) return '';
      throw new Error(`${page.file} holds HTML, which the guide does not: ${text}`);
    },
    image({ href }) {
      throw new Error(`${page.file} holds an image, which the guide does not serve: ${href}`);
    },
  };
};

/** The id that a code host gives the heading too, so that links work in both. */
const idOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const escapeHtml = (text) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** A link as the served page has it, noted so that it can be checked. */
const follow = (page, href) => {
  if (/^https?:/.test(href)) return href;
  const [path, id = ''] = href.split('#');
  const file = path === '' ? page.file : posix.join(posix.dirname(page.file), path);
  if (SERVED.includes(file)) return posix.relative(FOLDER, file);
  const isPage = file === RULES || (posix.dirname(file) === FOLDER && file.endsWith('.md'));
  if (!isPage) throw new Error(`${page.file} links to ${href}, which is no page of the guide.`);
  const anchor = file === RULES ? id.toLowerCase() : id;
  const name = nameOf(file);
  page.links.push({ name, anchor, href });
  if (page.name === 'index' && path !== '' && !page.pages.includes(file)) page.pages.push(file);
  return (path === '' ? '' : addressOf(name)) + (anchor === '' ? '' : `#${anchor}`);
};

const checkLinks = (pages) => {
  const byName = new Map(pages.map((page) => [page.name, page]));
  for (const { file, links } of pages)
    for (const { name, anchor, href } of links) {
      const page = byName.get(name);
      if (!page) throw new Error(`${file} links to ${href}, which ${FOLDER}/index.md does not list.`);
      if (anchor !== '' && !page.ids.has(anchor))
        throw new Error(`${file} links to ${href}: no such heading.`);
    }
};

const layOut = (page, pages) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(page.title)} · Connected Accounts Mock</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="../assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../assets/guide.css">
<script type="module" src="../assets/guide.js"></script>
</head>
<body>
<header class="top">
<a class="brand" href="../"><img src="../assets/icon.svg" alt="" width="24" height="24"><span>Connected Accounts Mock</span></a>
<nav aria-label="Site"><a class="link" href="../">Console</a><a class="link" href="../docs">Reference</a><a class="link" href="./" aria-current="true">Guide</a></nav>
<div class="search" role="search"><input type="search" id="search" placeholder="Search the guide  /" aria-label="Search the guide" aria-controls="found" autocomplete="off"><ol id="found" hidden></ol></div>
</header>
<div class="guide">
<nav class="pages" aria-label="Pages">
${pages.map((one) => `<a class="link" href="${addressOf(one.name)}"${one === page ? ' aria-current="page"' : ''}>${escapeHtml(one.title)}</a>`).join('\n')}
</nav>
<main>
${page.html}${neighbours(page, pages)}</main>
</div>
</body>
</html>
`;

const neighbours = (page, pages) => {
  const next = pages[pages.indexOf(page) + 1];
  return next
    ? `<p class="next"><a href="${addressOf(next.name)}">Next: ${escapeHtml(next.title)}</a></p>\n`
    : '';
};
