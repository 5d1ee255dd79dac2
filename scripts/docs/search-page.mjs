/** Searches the static site: shows the chapters for the words in the address, `search.html?q=…`. */
import MiniSearch from 'minisearch';
import { INDEX_OPTIONS, searchDocuments } from '../../src/web/documents/document-search.ts';

const { search, chapters } = globalThis.documents;
const query = new URLSearchParams(location.search).get('q')?.trim() ?? '';
const box = document.getElementById('documents-q');
box.value = query;

const index = { search: MiniSearch.loadJS(search, INDEX_OPTIONS), chapters };
const found = query === '' ? [] : searchDocuments(index, query);
document.getElementById('found').append(...(found.length > 0 ? [resultsOf(found)] : [hint()]));

function resultsOf(results) {
  const list = element('ol', '', 'nhsuk-list app-documents__found');
  for (const { href, title, anchor, documentTitle, excerpt } of results) {
    const item = element('li');
    const link = element('a', title);
    link.href = href;
    const place = anchor === '' ? '' : ` in ${documentTitle}`;
    item.append(link, place, element('br'), excerpt);
    list.append(item);
  }
  return list;
}

function hint() {
  return element(
    'p',
    query === '' ? 'Type words into the box.' : `No document has “${query}”. Try other words.`,
  );
}

function element(name, text = '', className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}
