/** Indexes the chapters of the documents, at the first search. */
import { createPauses } from '../../threads/pauses.ts';
import { type DocumentIndex, emptyIndex, type IndexedChapter } from './document-search.ts';
import { type DocumentSet, INDEX } from './document-set.ts';
import { sectionsOf } from './render-document.ts';

/** Other requests are answered in between. */
export async function indexDocuments(set: DocumentSet): Promise<DocumentIndex> {
  const pauseIfDue = createPauses();
  const chapters: IndexedChapter[] = [];
  const search = emptyIndex();
  for (const document of set.documents) {
    if (document === INDEX) continue;
    const sections = sectionsOf(set.textOf(document));
    const documentTitle = sections[0]?.title ?? document;
    for (const [i, { id, title, text }] of sections.entries()) {
      const anchor = i === 0 ? '' : id;
      chapters.push({ document, documentTitle, title, anchor, text });
      search.add({ id: chapters.length - 1, documentTitle, title, text });
      await pauseIfDue();
    }
  }
  return { search, chapters };
}
