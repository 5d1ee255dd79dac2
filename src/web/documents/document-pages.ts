/** What the templates of documents show: a document or what a search found, beside the list of all. */
import { SOFTWARE } from '../../config/version.ts';
import { type DocumentGroup, listDocuments } from './document-list.ts';
import { type DocumentIndex, QUERY_LENGTH_MAX, searchDocuments } from './document-search.ts';
import { type DocumentSet, INDEX } from './document-set.ts';
import { type DocumentPlaces, renderDocument } from './render-document.ts';

/** Where the documents are: on a server, or in a folder. */
export interface DocumentSite extends DocumentPlaces {
  /** The address of the page that searches. */
  readonly search: string;
}

/** The data of `document.njk`. */
export function documentPage(set: DocumentSet, path: string, site: DocumentSite): object {
  const { title, html, chapters } = renderDocument(set, path, site);
  return {
    ...frameOf(set, path, site),
    title: path === INDEX ? title : `${title} – Documentation`,
    heading: title,
    html,
    chapters: path === INDEX ? [] : chapters,
  };
}

/** The data of `document-search.njk`. Without an index, a script in the page searches. */
export function searchPage(
  set: DocumentSet,
  site: DocumentSite,
  asked: string,
  index?: DocumentIndex,
): object {
  const query = asked.slice(0, QUERY_LENGTH_MAX);
  const found = index && query !== '' ? searchDocuments(index, query) : [];
  return {
    ...frameOf(set, '', site),
    title: query === '' ? 'Search the documentation' : `${query} – Documentation`,
    query,
    found: found.map(({ document, documentTitle, title, anchor, excerpt }) => ({
      href: site.document(document, anchor),
      title,
      documentTitle: anchor === '' ? '' : documentTitle,
      excerpt,
    })),
  };
}

function frameOf(set: DocumentSet, current: string, site: DocumentSite): object {
  return {
    version: SOFTWARE.version,
    index: site.document(INDEX, ''),
    search: site.search,
    queryLengthMax: QUERY_LENGTH_MAX,
    groups: listDocuments(set).map((group) => groupOf(group, current, site)),
  };
}

function groupOf({ title, documents }: DocumentGroup, current: string, site: DocumentSite): object {
  return {
    title,
    isOpen: documents.some(({ path }) => path === current),
    links: documents.map((document) => ({
      href: site.document(document.path, ''),
      text: document.title,
      isCurrent: document.path === current,
    })),
  };
}
