/**
 * Writes the documents as a static site: `npm run docs -- --out site`. All links are relative, so any
 * web server or folder can hold the site. The same code makes the pages at `/docs` of a server.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, type Metafile } from 'esbuild';
import {
  type DocumentSite,
  documentPage,
  searchPage,
} from '../../src/web/documents/document-pages.ts';
import { documentName, INDEX, openDocuments } from '../../src/web/documents/document-set.ts';
import { indexDocuments } from '../../src/web/documents/index-documents.ts';
import { type AssetName, openAssets } from '../../src/web/parts/assets.ts';
import { openTemplates } from '../../src/web/render.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SEARCH = 'search.html';
const SEARCH_SCRIPT = 'assets/search.js';
const INDEX_SCRIPT = 'assets/search-index.js';

export interface Site {
  /** Their paths. */
  readonly pages: readonly string[];
  /** What esbuild says about the script of the search. Its paths begin at the checkout. */
  readonly metafile: Metafile;
}

/**
 * Writes the site into a folder, in place of an earlier site. Throws if the folder has anything else.
 */
export async function buildSite(out: string): Promise<Site> {
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, INDEX_SCRIPT))) {
    throw new Error(`${out} has other files. Name an empty folder with --out.`);
  }
  rmSync(out, { recursive: true, force: true });
  const set = openDocuments(ROOT);
  const assets = openAssets(undefined);
  const render = openTemplates();
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), content);
  };
  const writePage = (path: string, template: string, dataOf: (site: DocumentSite) => object) => {
    const to = (target: string) => posix.relative(posix.dirname(path), target);
    const frame = {
      isSite: true,
      service: 'Gazetteer',
      addresses: { home: to('index.html') },
      asset: (name: AssetName) => to(assets.pathOf(name).slice(1)),
      ...(path === SEARCH && { scripts: [INDEX_SCRIPT, SEARCH_SCRIPT] }),
    };
    write(path, render(template, { ...frame, ...dataOf(siteFrom(to)) }));
  };
  for (const document of set.documents) {
    writePage(pageOf(document), 'document.njk', (site) => documentPage(set, document, site));
  }
  writePage(SEARCH, 'document-search.njk', (site) => searchPage(set, site, ''));
  for (const file of set.files) write(documentName(file), await set.bytesOf(file));
  for (const name of ['styles', 'pages', 'icon'] as const) {
    const path = assets.pathOf(name);
    write(path.slice(1), assets.find(basename(path))?.bytes ?? '');
  }
  const { search, chapters } = await indexDocuments(set);
  const site = siteFrom((target) => target);
  const addressed = chapters.map((chapter) => ({
    ...chapter,
    href: site.document(chapter.document, chapter.anchor),
  }));
  write(
    INDEX_SCRIPT,
    `globalThis.documents = ${JSON.stringify({ search, chapters: addressed })};\n`,
  );
  copyFileSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
  const metafile = await bundleSearch(join(out, SEARCH_SCRIPT));
  return { pages: [...[...set.documents].map(pageOf), SEARCH], metafile };
}

/** Links as they are in a page; `to` makes them relative to it. */
function siteFrom(to: (target: string) => string): DocumentSite {
  return {
    document: (path, anchor) => to(pageOf(path)) + (anchor === '' ? '' : `#${anchor}`),
    file: (path) => to(documentName(path)),
    search: to(SEARCH),
  };
}

function pageOf(document: string): string {
  return document === INDEX ? 'index.html' : `${documentName(document)}.html`;
}

async function bundleSearch(outfile: string): Promise<Metafile> {
  const entry = fileURLToPath(new URL('./search-page.mjs', import.meta.url));
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: resolve(outfile),
    bundle: true,
    minify: true,
    logLevel: 'warning',
    metafile: true,
  });
  return metafile;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'site' } } });
  const { pages } = await buildSite(values.out);
  console.log(`${pages.length} pages in ${values.out}: open ${join(values.out, 'index.html')}`);
}
