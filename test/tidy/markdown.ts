/** Reads what tests hold documentation to: the tables, lists, code blocks and links of a Markdown page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

export interface Table {
  /** The heading above it, without its marks. */
  readonly heading: string;
  readonly head: readonly string[];
  /** Cells without the spaces around them. */
  readonly rows: readonly (readonly string[])[];
}

/** An item of a list: `- name (facts): text`. */
export interface Item {
  /** The heading above it, without its marks. */
  readonly heading: string;
  readonly name: string;
  /** Empty if there are none. */
  readonly facts: string;
  readonly text: string;
}

export interface CodeBlock {
  /** What stands behind the opening fence: `json record`. */
  readonly language: string;
  readonly text: string;
}

export interface Page {
  readonly text: string;
  readonly tables: readonly Table[];
  readonly items: readonly Item[];
  readonly codeBlocks: readonly CodeBlock[];
}

export function readPage(path: string): Page {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const tables: { heading: string; head: readonly string[]; rows: string[][] }[] = [];
  const items: Item[] = [];
  let heading = '';
  let isInTable = false;
  for (const line of withoutCode(text).split('\n')) {
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    const isRow = line.startsWith('|');
    if (isRow && !isInTable) tables.push({ heading, head: cellsOf(line), rows: [] });
    else if (isRow && !/^[|\s:-]+$/.test(line)) tables.at(-1)?.rows.push(cellsOf(line));
    isInTable = isRow;
    const [, name, facts = '', rest = ''] = ITEM.exec(line) ?? [];
    if (name !== undefined) items.push({ heading, name, facts, text: rest });
  }
  const codeBlocks = [...text.matchAll(CODE_BLOCK)].map(([, language = '', code = '']) => ({
    language,
    text: code,
  }));
  return { text, tables, items, codeBlocks };
}

/** The rows of all tables with this head, in one list. */
export function rowsUnder({ tables }: Page, ...head: string[]): readonly (readonly string[])[] {
  return tables.filter((table) => table.head.join() === head.join()).flatMap(({ rows }) => rows);
}

/** The items of all lists below this heading, in one list. */
export function itemsUnder({ items }: Page, heading: string): readonly Item[] {
  return items.filter((item) => item.heading === heading);
}

/** The text of a cell that is code, or the cell as it is. */
export function plain(cell: string | undefined): string {
  return /^`([^`]*)`$/.exec(cell ?? '')?.[1] ?? cell ?? '';
}

/** All pieces of code in a line. */
export function codesIn(line: string): string[] {
  return [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Targets of links to other places of the project, without code blocks: `storage.md#locks`. */
export function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The name and the facts can have code, with any characters. */
const ITEM = /^- ((?:`[^`]+`|[^`:(])+?)(?: \(((?:`[^`]+`|[^`)])*)\))?: (.*)$/;

const CODE_BLOCK = /^```(.*)\n([\s\S]*?)^```$/gm;

function withoutCode(text: string): string {
  return text.replace(CODE_BLOCK, '');
}

/** A pipe inside a cell is written `\|`. */
function cellsOf(line: string): string[] {
  return line
    .slice(1, line.trimEnd().length - 1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
