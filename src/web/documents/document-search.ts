/** Searches the documents. The static site runs the same code in the browser. */
import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch';

/** A chapter as the index knows it. */
export interface IndexedChapter {
  /** The path of its document. */
  readonly document: string;
  readonly documentTitle: string;
  /** Its heading and its anchor. They are those of the document for the text below the title. */
  readonly title: string;
  readonly anchor: string;
  readonly text: string;
}

export interface FoundChapter extends Omit<IndexedChapter, 'text'> {
  /** A part of its text around the first word that was searched. */
  readonly excerpt: string;
}

export interface DocumentIndex {
  readonly search: MiniSearch;
  readonly chapters: readonly IndexedChapter[];
}

/** Longer texts would make a search slow. */
export const QUERY_LENGTH_MAX = 100;
/** Each word is searched separately. */
const WORDS_MAX = 12;
const RESULTS_MAX = 30;
const EXCERPT_LENGTH = 200;
/** How much of the excerpt stands before the word. */
const EXCERPT_BEFORE = 60;

/** An index with these fields. A page of the static site loads its content. */
export function emptyIndex(): MiniSearch {
  return new MiniSearch(INDEX_OPTIONS);
}

export const INDEX_OPTIONS = {
  fields: ['title', 'documentTitle', 'text'],
  searchOptions: {
    boost: { title: 4, documentTitle: 2 },
    prefix: (term: string) => term.length > 2,
  },
};

/** A third of the letters of a word may differ, if nothing has the word. */
const FUZZY = 0.3;

/**
 * The chapters that have all words, or else those that have any of them, or else those with similar
 * words; the best first.
 */
export function searchDocuments(
  { search, chapters }: DocumentIndex,
  query: string,
): FoundChapter[] {
  const words = new Set(query.slice(0, QUERY_LENGTH_MAX).split(/\s+/));
  const asked = [...words].slice(0, WORDS_MAX).join(' ');
  const tries: SearchOptions[] = [{ combineWith: 'AND' }, { combineWith: 'OR' }, { fuzzy: FUZZY }];
  let found: SearchResult[] = [];
  for (const options of tries) {
    if (found.length === 0) found = search.search(asked, options);
  }
  return found.slice(0, RESULTS_MAX).flatMap(({ id, terms }) => {
    const chapter = chapters[id];
    if (chapter === undefined) return [];
    const { text, ...rest } = chapter;
    return [{ ...rest, excerpt: excerptOf(text, terms) }];
  });
}

/** Begins and ends with whole words. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - EXCERPT_BEFORE);
  const from = start === 0 || places.length === 0 ? 0 : text.indexOf(' ', start) + 1;
  if (text.length <= from + EXCERPT_LENGTH) return `${from > 0 ? '… ' : ''}${text.slice(from)}`;
  const to = text.lastIndexOf(' ', from + EXCERPT_LENGTH);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to > from ? to : from + EXCERPT_LENGTH)} …`;
}
