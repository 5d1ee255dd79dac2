/** `/docs`: the documents, what they link to, and a search of them. */
import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { isNotModified } from '../../fhir/http/headers.ts';
import type { FhirResponse } from '../../fhir/request/request.ts';
import { headersFor, PLAIN_TEXT, redirect, SVG } from '../parts/answers.ts';
import { NO_PAGE } from '../parts/problems.ts';
import type { PageRequest, PageRoute, WebContext } from '../parts/web-options.ts';
import type { DocumentSite } from './document-pages.ts';
import type { DocumentIndex } from './document-search.ts';
import { type DocumentSet, documentName, INDEX, openDocuments } from './document-set.ts';

export function documentRoutes({ addresses, show, fail }: WebContext): readonly PageRoute[] {
  const site = siteAt(addresses.documents);
  const open = memoizeOnce(openDocuments);
  const names = memoizeOnce(
    () => new Map([...open().documents].map((path) => [documentName(path), path])),
  );
  const pages = new Map<string, object>();
  // Markdown and searches are loaded for the first reader who needs them.
  const pageOf = async (path: string): Promise<object> => {
    const { documentPage } = await import('./document-pages.ts');
    const page = pages.get(path) ?? documentPage(open(), path, site);
    pages.set(path, page);
    return page;
  };
  let index: Promise<DocumentIndex> | undefined;
  const search = async (query: string): Promise<object> => {
    const { searchPage } = await import('./document-pages.ts');
    index ??= import('./index-documents.ts').then(({ indexDocuments }) => indexDocuments(open()));
    return searchPage(open(), site, query, await index);
  };
  return [
    {
      path: '/docs',
      answer: async (asked) => show(asked, 'document.njk', await pageOf(INDEX)),
    },
    {
      path: '/docs/search',
      answer: async (asked) => {
        const query = asked.parameters.get('q')?.trim() ?? '';
        return show(asked, 'document-search.njk', await search(query));
      },
    },
    {
      path: '/docs/{path}',
      answer: async (asked) => {
        const document = names().get(asked.id);
        if (document !== undefined) return show(asked, 'document.njk', await pageOf(document));
        // As links between the files have it.
        const named = names().get(documentName(`docs/${asked.id}`));
        if (named !== undefined) return redirect(site.document(named, ''));
        const file = [...open().files].find((path) => documentName(path) === asked.id);
        if (file !== undefined) return answerFile(asked, open(), file);
        const link = {
          before: 'Look for it in the',
          text: 'documentation',
          href: addresses.documents,
        };
        return fail({ ...NO_PAGE, link });
      },
    },
  ];
}

/** The documents below a path of a server. */
function siteAt(base: string): DocumentSite {
  const address = (path: string) => `${base}/${documentName(path)}`.replace(/\/$/, '');
  return {
    document: (path, anchor) => address(path) + (anchor === '' ? '' : `#${anchor}`),
    file: address,
    search: `${base}/search`,
  };
}

async function answerFile(
  { request }: PageRequest,
  set: DocumentSet,
  file: string,
): Promise<FhirResponse> {
  const bytes = await set.bytesOf(file);
  const contentType = CONTENT_TYPES[extname(file)] ?? PLAIN_TEXT;
  const etag = `"${hash('sha256', bytes).slice(0, ETAG_LENGTH)}"`;
  const headers = [...headersFor(contentType, 'no-cache'), 'ETag', etag];
  if (isNotModified(request, etag, undefined)) return { status: 304, headers };
  return { status: 200, headers: [...headers, 'Content-Type', contentType], body: bytes };
}

const ETAG_LENGTH = 24;

/** Programs and settings are shown as text. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': SVG,
  '.json': 'application/json; charset=utf-8',
};

function memoizeOnce<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
