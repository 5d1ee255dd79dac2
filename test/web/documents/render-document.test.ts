/** Markdown as HTML: what each part becomes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listDocuments } from '../../../src/web/documents/document-list.ts';
import { type DocumentSet, documentName } from '../../../src/web/documents/document-set.ts';
import { renderDocument, sectionsOf } from '../../../src/web/documents/render-document.ts';

const PAGE = 'docs/how-to/page.md';

function setOf(texts: Readonly<Record<string, string>>): DocumentSet {
  return {
    documents: new Set(Object.keys(texts)),
    files: new Set(['docs/images/one.png']),
    textOf: (path) => texts[path] ?? '',
    bytesOf: async () => Buffer.alloc(0),
  };
}

function render(text: string) {
  const set = setOf({ [PAGE]: text, 'docs/tutorial.md': '# Tutorial' });
  return renderDocument(set, PAGE, {
    document: (path, anchor) => `/d/${documentName(path)}${anchor === '' ? '' : `#${anchor}`}`,
    file: (path) => `/f/${documentName(path)}`,
  });
}

const CASES: readonly (readonly [what: string, text: string, html: RegExp])[] = [
  ['a link to a document', '[a](../tutorial.md)', /<a href="\/d\/tutorial">a<\/a>/],
  ['a link to a chapter', '[a](../tutorial.md#b)', /<a href="\/d\/tutorial#b">a<\/a>/],
  ['a link within the page', '[a](#b)', /<a href="#b">a<\/a>/],
  ['a link to the page itself', '[a](page.md#b)', /<a href="#b">a<\/a>/],
  ['a link to another site', '[a](https://x.example/)', /<a href="https:\/\/x.example\/">a<\/a>/],
  ['a link to what only a checkout has', '[`a`](../../src/a.ts)', /<span><code>a<\/code><\/span>/],
  ['a link of a script', '[a](javascript:alert(1))', /^<p>\[a\]/],
  ['a picture', '![a](../images/one.png)', /<img src="\/f\/images\/one.png" alt="a" class="app-p/],
  ['HTML', '<b onclick="x">a</b>', /&lt;b onclick=&quot;x&quot;&gt;a&lt;\/b&gt;/],
  ['the mark of a generated part', '<!-- generated: a b -->\n\na', /^\s*<p>a<\/p>\s*$/],
  ['code', '```sh\na <b>\n```', /<pre [^>]*id="code-1"[^>]*>a &lt;b&gt;\n<\/pre>/],
  [
    'a cell',
    '| a | b |\n|---|---|\n| c | d |',
    /aria-hidden="true">b <\/span><span>d<\/span><\/td>/,
  ],
  ['an aligned cell', '| a |\n|--:|\n| c |', /^(?!.*style=)/s],
  ['a chapter', '## One `two`: /', /<h2 id="one-two-"/],
  ['a chapter with the title of another', '## A\n\n## A', /id="a"[\s\S]*id="a-1"/],
];

describe('a document shows', () => {
  for (const [what, text, html] of CASES) {
    it(what, () => assert.match(render(`# Title\n\n${text}`).html, html));
  }

  it('its title apart from its text, and its chapters of the second level', () => {
    const { title, html, chapters } = render('# A `b`\n\nc\n\n## D\n\n### E\n\n## F');
    assert.equal(title, 'A b');
    assert.doesNotMatch(html, /<h1/);
    assert.deepEqual(
      chapters.map(({ id }) => id),
      ['d', 'f'],
    );
  });
});

it('a search knows the text below each heading, without marks', () => {
  const text = '# A\n\none *two*\nthree\n\n## B\n\n- `four`\n\n```sh\nfive\n```\n\n## C\n';
  assert.deepEqual(
    sectionsOf(text).map(({ id, text }) => [id, text]),
    [
      ['a', 'one two three'],
      ['b', 'four five'],
      ['c', ''],
    ],
  );
});

it('the list has the chapters of the index, and each document once', () => {
  const index = `# All

## One

| page |
|---|
| [Tutorial](tutorial.md) |
| [Its chapter](tutorial.md#b) |

## Two

- [\`Page\`](how-to/page.md), [again](tutorial.md), [code](../src/a.ts), [web](https://x.example/)
`;
  const set = setOf({ 'docs/README.md': index, 'docs/tutorial.md': '', [PAGE]: '' });
  assert.deepEqual(listDocuments(set), [
    { title: 'One', documents: [{ path: 'docs/tutorial.md', title: 'Tutorial' }] },
    { title: 'Two', documents: [{ path: PAGE, title: 'Page' }] },
  ]);
});
