/**
 * The documents that a server shows, and the files that they link to. A checkout has them in their
 * places, and the npm package has copies of only these in `dist/documents`.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DocumentSet {
  /** Their paths below the root of the project: `docs/tutorial.md`. */
  readonly documents: ReadonlySet<string>;
  /** The paths of the pictures, programs and settings that documents link to. */
  readonly files: ReadonlySet<string>;
  textOf(document: string): string;
  bytesOf(file: string): Promise<Buffer>;
}

/** The document that lists the others. */
export const INDEX = 'docs/README.md';

/** The documents that are not in `docs/`. */
const FURTHER = ['CHANGELOG.md'];

/** Throws if the documents are absent. */
export function openDocuments(root: string = documentsRoot()): DocumentSet {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name));
  const documents = new Set([...inDocs.sort(), ...FURTHER]);
  const textOf = (document: string) => readFileSync(join(root, document), 'utf8');
  const files = new Set<string>();
  for (const document of documents) {
    for (const [, link = ''] of textOf(document).matchAll(LINK)) {
      const target = targetOf(document, link)?.path;
      if (target === undefined || target.startsWith('..') || target.endsWith('.md')) continue;
      if (statSync(join(root, target), { throwIfNoEntry: false })?.isFile()) files.add(target);
    }
  }
  return { documents, files, textOf, bytesOf: (file) => readFile(join(root, file)) };
}

/** What a link in a document leads to; undefined for an address of another site. */
export function targetOf(
  document: string,
  link: string,
): { readonly path: string; readonly anchor: string } | undefined {
  if (/^[a-z]+:/i.test(link)) return undefined;
  const [path = '', anchor = ''] = link.split('#');
  return { path: path === '' ? document : posix.join(posix.dirname(document), path), anchor };
}

/** The name of a document or file in addresses: `how-to/upgrade`; empty for the index. */
export function documentName(path: string): string {
  if (path === INDEX) return '';
  return path.replace(/^docs\//, '').replace(/\.md$/, '');
}

const LINK = /\]\(([^)\s]+)\)/g;

function documentsRoot(): string {
  const copy = fileURLToPath(new URL('./documents/', import.meta.url));
  return existsSync(copy) ? copy : fileURLToPath(new URL('../../../', import.meta.url));
}
