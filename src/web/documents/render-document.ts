/** Makes pages of documents: Markdown as HTML with the classes of the design system. */
import MarkdownIt, { type Token } from 'markdown-it';
import { type DocumentSet, targetOf } from './document-set.ts';

export interface RenderedDocument {
  readonly title: string;
  /** The text below the title. */
  readonly html: string;
  /** The chapters below the title. */
  readonly chapters: readonly Chapter[];
}

export interface Chapter {
  readonly id: string;
  readonly title: string;
}

/** Where links lead. */
export interface DocumentPlaces {
  /** The address of a document, as a link in a page. */
  document(path: string, anchor: string): string;
  /** The address of a file that a document links to. */
  file(path: string): string;
}

/** A part of a document below a heading, as text. */
export interface DocumentSection extends Chapter {
  readonly text: string;
}

/** Texts cannot contain HTML: it would be shown as it is written. */
const markdown = new MarkdownIt({ html: false });
const { rules } = markdown.renderer;
rules.table_open = () =>
  '<table role="table" class="nhsuk-table nhsuk-table--responsive app-compact">\n';
rules.thead_open = () => '<thead role="rowgroup" class="nhsuk-table__head">\n';
rules.tbody_open = () => '<tbody role="rowgroup" class="nhsuk-table__body">\n';
rules.tr_open = () => '<tr role="row" class="nhsuk-table__row">\n';
rules.th_open = () => '<th role="columnheader" class="nhsuk-table__header" scope="col">';
// On a phone, each cell repeats the heading of its column.
rules.td_open = (tokens, i) =>
  `<td role="cell" class="nhsuk-table__cell app-long"><span class="nhsuk-table-responsive__heading" aria-hidden="true">${escapeHtml(String(tokens[i]?.attrGet(HEADING) ?? ''))} </span><span>`;
rules.td_close = () => '</span></td>\n';
rules.fence = (tokens, i) =>
  codeBlock(tokens[i]?.content ?? '', String(tokens[i]?.attrGet(NUMBER)));

/** The start of a heading, its text, and its end. */
const TITLE_TOKENS = 3;

/** What the renderer needs of a cell, and of a block of code. They are not shown. */
const HEADING = 'heading';
const NUMBER = 'number';

/** The classes of elements that need no more than a class. */
const CLASSES: Readonly<Record<string, string>> = {
  h2: 'nhsuk-heading-m',
  h3: 'nhsuk-heading-s',
  ul: 'nhsuk-list nhsuk-list--bullet',
  ol: 'nhsuk-list nhsuk-list--number',
};

/** `path` names the document, for its links. */
export function renderDocument(
  set: DocumentSet,
  path: string,
  places: DocumentPlaces,
): RenderedDocument {
  const tokens = parse(set.textOf(path));
  let codeBlocks = 0;
  for (const token of tokens) {
    const className = token.type.endsWith('_open') && CLASSES[token.tag];
    if (className) token.attrSet('class', className);
    if (token.type === 'fence') token.attrSet(NUMBER, String(++codeBlocks));
    if (token.type === 'inline') pointLinks(token.children ?? [], set, path, places);
  }
  labelCells(tokens);
  const [top, ...chapters] = headingsOf(tokens);
  return {
    title: top?.title ?? path,
    html: markdown.renderer.render(tokens.slice(TITLE_TOKENS), markdown.options, {}),
    chapters: chapters.filter(({ level }) => level === 2),
  };
}

/** The parts of a document, the first below its title. */
export function sectionsOf(text: string): readonly DocumentSection[] {
  const tokens = parse(text);
  const headings = headingsOf(tokens);
  return headings.map(({ id, title, at }, i) => {
    const own = tokens.slice(at + TITLE_TOKENS, headings[i + 1]?.at);
    const texts = own.filter(({ type }) => type === 'inline' || type === 'fence').map(textOf);
    return { id, title, text: texts.join(' ').replace(/\s+/g, ' ').trim() };
  });
}

/** Marks of generated parts are for authors. */
function parse(text: string): Token[] {
  const tokens = markdown.parse(text.replace(/^<!--.*-->$/gm, ''), {});
  for (const { token, id } of headingsOf(tokens)) token.attrSet('id', id);
  return tokens;
}

interface Heading extends Chapter {
  readonly level: number;
  /** The token, and its index. */
  readonly token: Token;
  readonly at: number;
}

/** Each has the anchor that file hosts give it. */
function headingsOf(tokens: readonly Token[]): Heading[] {
  const counts = new Map<string, number>();
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return [];
    const title = textOf(tokens[at + 1]);
    const name = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const id = count === 0 ? name : `${name}-${count}`;
    return [{ id, title, level: Number(token.tag.slice(1)), token, at }];
  });
}

/** The text of a token without its marks. */
function textOf(token: Token | undefined): string {
  if (token === undefined) return '';
  if (token.children === null || token.children.length === 0) return token.content;
  return token.children.map((child) => (child.type === 'softbreak' ? ' ' : textOf(child))).join('');
}

/** A link to a file that only a checkout has becomes a text. */
function pointLinks(
  tokens: readonly Token[],
  set: DocumentSet,
  path: string,
  places: DocumentPlaces,
): void {
  let isDead = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = placeOf(set, path, String(token.attrGet('href')), places);
      isDead = target === undefined;
      if (target !== undefined) token.attrSet('href', target);
    }
    if (isDead && /^link_(open|close)$/.test(token.type)) {
      token.tag = 'span';
      token.attrs = null;
    }
    if (token.type !== 'image') continue;
    token.attrSet('src', placeOf(set, path, String(token.attrGet('src')), places) ?? '');
    token.attrSet('class', 'app-picture');
  }
}

function placeOf(
  set: DocumentSet,
  from: string,
  link: string,
  places: DocumentPlaces,
): string | undefined {
  const target = targetOf(from, link);
  if (target === undefined) return link;
  const { path, anchor } = target;
  if (path === from && anchor !== '') return `#${anchor}`;
  if (set.documents.has(path)) return places.document(path, anchor);
  return set.files.has(path) ? places.file(path) : undefined;
}

/** Gives each cell the heading of its column. */
function labelCells(tokens: readonly Token[]): void {
  let headings: string[] = [];
  let column = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'table_open') headings = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') headings.push(textOf(tokens[i + 1]));
    if (token.type === 'td_open') token.attrSet(HEADING, headings[column++] ?? '');
  }
}

function codeBlock(content: string, number: string): string {
  const id = `code-${number}`;
  return `<div class="app-block">
<button class="nhsuk-button nhsuk-button--secondary nhsuk-button--small app-copy" type="button" hidden data-copy="${id}" data-copied="Text ${number} copied"><span data-copy-label>Copy</span><span class="nhsuk-u-visually-hidden"> text ${number}</span></button>
<pre class="app-source" id="${id}" tabindex="0" role="region" aria-label="Text ${number}">${escapeHtml(content)}</pre>
</div>
`;
}

function escapeHtml(text: string): string {
  return markdown.utils.escapeHtml(text);
}
