/**
 * Makes the pages below `/_mock/guide` from `src/guide/*.md` and the rules: HTML that works without scripts, and an
 * index for the search. The links in `src/guide/index.md` give the order of the pages.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, posix } from 'node:path';
import { Marked } from 'marked';

const FOLDER = 'src/guide';
const RULES = 'src/RULES.md';
const SITE = JSON.parse(await readFile('src/console/browser/site.json', 'utf8'));
/** The icon in the bar of the console (`parts/buttons.tsx`). */
const BRAND =
  '<svg viewBox="0 0 24 24" class="icon" aria-hidden="true"><path d="M9 7H7a5 5 0 0 0 0 10h2M15 7h2a5 5 0 0 1 0 10h-2M8.5 12h7"/></svg>';
/** Files that the guide may link to besides its own pages. The server serves them at the same relative address. */
const SERVED = ['openapi.yaml'];

/** @param target the folder to write to */
export const writeGuide = async (target) => {
  const home = await readPage(`${FOLDER}/index.md`);
  const others = await Promise.all(home.pages.map(readPage));
  const pages = [home, ...others];
  checkLinks(pages);
  await mkdir(target, { recursive: true });
  await Promise.all(pages.map((page) => writeFile(`${target}/${page.name}.html`, layOut(page, pages))));
  const images = pages.flatMap((page) => page.images);
  await Promise.all(images.map((image) => copyFile(`${FOLDER}/${image}`, `${target}/${image}`)));
  await writeFile(`${target}/search.json`, JSON.stringify(pages.flatMap(({ sections }) => sections)));
  await writePlain(target, pages);
};

/** Writes each page as plain Markdown too, for programs that read the guide. The first page lists all: `llms.txt`. */
const writePlain = (target, pages) =>
  Promise.all(
    pages.map(async ({ file, name }) => {
      const markdown = await readFile(file, 'utf8');
      const linked = markdown.replaceAll(
        /\]\((?:\.\.\/)?([\w-]+)\.md(?=[#)])/g,
        (_link, other) => `](${plainNameOf(other.toLowerCase())}`,
      );
      await writeFile(`${target}/${plainNameOf(name)}`, linked);
    }),
  );

const plainNameOf = (name) => `${name === 'index' ? 'llms' : name}.txt`;

const nameOf = (file) => (file === RULES ? 'rules' : basename(file, '.md'));

const addressOf = (name) => (name === 'index' ? './' : name);

/** Reads a page: its HTML, its links, and its sections for the search. */
const readPage = async (file) => {
  const name = nameOf(file);
  const markdown = readRules(await readFile(file, 'utf8'));
  const page = { file, name, title: '', pages: [], links: [], images: [], ids: new Set(), sections: [] };
  page.html = new Marked({ renderer: renderInto(page), hooks: {} }).parse(markdown);
  page.title = page.sections[0].heading;
  for (const section of page.sections) section.page = page.title;
  return page;
};

/** Turns the anchor of a rule (`<a id="A4"></a>**A4**`) into a link to itself, which readers can copy. */
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
      return `<figure>${caption}<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre></figure>\n`;
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
        `<tr>${cells.map(({ tokens }) => presentCell(this.parser.parseInline(tokens), tag)).join('')}</tr>`;
      return `<div class="scroll" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows
        .map((cells) => row(cells, 'td'))
        .join('')}</tbody></table></div>`;
    },
    html({ text }) {
      if (/^\s*<!--.*-->\s*$/s.test(text)) return '';
      throw new Error(`${page.file} holds HTML, which the guide cannot show: ${text}`);
    },
    image({ href, text }) {
      page.images.push(href);
      return `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}">`;
    },
  };
};

/** A cell of a table. An empty header becomes a plain cell, since screen readers would announce it as a header. */
const presentCell = (html, tag) => (html === '' ? '<td></td>' : `<${tag}>${html}</${tag}>`);

/** The id of a heading. Code hosts give headings the same id, so that links work there too. */
const idOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const escapeHtml = (text) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** Turns a link of the source into a link of the served page. Notes the link, so that it can be checked later. */
const follow = (page, href) => {
  if (/^https?:/.test(href)) return href;
  const [path, id = ''] = href.split('#');
  const file = path === '' ? page.file : posix.join(posix.dirname(page.file), path);
  if (SERVED.includes(file)) return posix.relative(FOLDER, file);
  const isPage = file === RULES || (posix.dirname(file) === FOLDER && file.endsWith('.md'));
  if (!isPage) throw new Error(`${page.file} links to ${href}, which is not a page of the guide.`);
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
        throw new Error(`${file} links to ${href}, but the page has no such heading.`);
    }
};

const layOut = (page, pages) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(page.title)} · Guide · Connected Accounts Mock</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="../assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../assets/style.css">
<script type="module" src="../assets/guide.js"></script>
</head>
<body>
<div class="frame guide">
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="../#//calls" aria-label="CA Mock">${BRAND} <b>CA Mock</b></a>
<nav class="site" aria-label="Places">${SITE.map(link).join('')}</nav>
<div class="tools"><div class="search" role="search"><input type="search" id="search" placeholder="Search the guide  /" aria-label="Search the guide" aria-controls="found" autocomplete="off"><ol id="found" hidden></ol></div></div>
</header>
<nav class="side" aria-label="Pages">
<ul>
${pages.map((one) => `<li><a href="${addressOf(one.name)}"${one === page ? ' aria-current="page"' : ''}>${escapeHtml(one.title)}</a></li>`).join('\n')}
</ul>
</nav>
<main id="content" tabindex="-1"><div class="view text">
${page.html.replace('</h1>', () => `</h1>${onThisPage(page)}`)}${neighbours(page, pages)}</div></main>
</div>
</body>
</html>
`;

/** A link at the top of the page; the console has the same links (`main.tsx`). */
const link = ([place, title]) =>
  place === 'guide/'
    ? `<a href="./" aria-current="page">${title}</a>`
    : `<a href="../#//${place}">${title}</a>`;

/** The headings of a page, if it has more than two. */
const onThisPage = ({ name, sections }) => {
  const parts = sections.filter(({ href }) => href.includes('#'));
  if (parts.length < 3 || name === 'rules') return '';
  const links = parts.map(({ heading, href }) => `<li><a href="${href}">${escapeHtml(heading)}</a></li>`);
  return `<details class="contents"><summary>On this page</summary><ul>${links.join('')}</ul></details>`;
};

const neighbours = (page, pages) => {
  const next = pages[pages.indexOf(page) + 1];
  return next
    ? `<p class="next"><a href="${addressOf(next.name)}">Next: ${escapeHtml(next.title)}</a></p>\n`
    : '';
};
