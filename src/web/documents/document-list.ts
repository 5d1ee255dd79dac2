/** The list of documents beside each of them: the groups and the order of the index. */
import { type DocumentSet, INDEX, targetOf } from './document-set.ts';

export interface DocumentGroup {
  readonly title: string;
  readonly documents: readonly ListedDocument[];
}

export interface ListedDocument {
  readonly path: string;
  readonly title: string;
}

/** The chapters of the index, and the documents that each links to. */
export function listDocuments(set: DocumentSet): readonly DocumentGroup[] {
  const listed = new Set<string>();
  return set
    .textOf(INDEX)
    .split(/^## /m)
    .slice(1)
    .map((chapter) => ({
      title: chapter.slice(0, chapter.indexOf('\n')),
      documents: [...chapter.matchAll(LINK)].flatMap(([, title = '', link = '']) => {
        const { path, anchor } = targetOf(INDEX, link) ?? {};
        if (path === undefined || anchor !== '' || !set.documents.has(path)) return [];
        if (listed.has(path)) return [];
        listed.add(path);
        return [{ path, title: title.replaceAll('`', '') }];
      }),
    }));
}

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;
