/** JSON as HTML: the same text, indented, escaped, with links; also if its end is missing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { highlightJson, type JsonPath } from '../../../src/web/fhir/highlight-json.ts';

const NO_MARKS = () => undefined;

/** What a browser shows. */
function shown(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '</pre><img src=x onerror=alert(1)>',
  '&lt;script&gt;',
  `"'><svg/onload=alert(1)>`,
  '\\"\\u003cscript\\u003e',
  '\u202Eevil',
  '\u0000\u001f\u2028',
  '{"a":[1]}, "b": null',
];

describe('highlighted JSON', () => {
  it('shows what JSON.stringify indents', async () => {
    for (const value of [
      { a: 1, b: [true, null, 'x', [], {}], c: { d: { e: -1.5e-7 } } },
      [],
      {},
      [[1, [2]], { a: [] }],
      'text',
      7,
      { '': '', 'a"b': 'c\\"d', ' ': ['ä', '😀'] },
    ]) {
      for (const indent of [0, 2, '\t']) {
        const json = JSON.stringify(value, null, indent);
        assert.equal(shown(await highlightJson(json, NO_MARKS)), JSON.stringify(value, null, 2));
      }
    }
  });

  it('keeps numbers and escapes as they were sent', async () => {
    const html = await highlightJson(
      '{"a":1.50,"b":"\\u00e4\\/","c":100000000000000000000}',
      NO_MARKS,
    );
    assert.equal(
      shown(html),
      '{\n  "a": 1.50,\n  "b": "\\u00e4\\/",\n  "c": 100000000000000000000\n}',
    );
  });

  for (const text of HOSTILE) {
    it(`escapes ${JSON.stringify(text)} as a name, as a text and in a link`, async () => {
      const json = JSON.stringify({ [text]: text, list: [text] });
      const html = await highlightJson(json, () => ({ href: text, id: text }));
      const tags = [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
      for (const tag of tags) {
        assert.match(
          tag,
          /^<(?:span class="[nsv]"(?: id="[^"<>]*")?|a href="[^"<>]*"|\/span|\/a)>$/,
        );
      }
      assert.equal(shown(html), JSON.stringify(JSON.parse(json), null, 2));
      // Also in a text that is cut off.
      for (let end = 1; end < json.length; end++) {
        const cut = await highlightJson(json.slice(0, end), NO_MARKS);
        assert.doesNotMatch(cut.replaceAll(/<\/?span(?: class="[nsv]")?>/g, ''), /[<>]/);
      }
    });
  }

  it('names the path of each value, and its text without escapes', async () => {
    const seen: [string, string][] = [];
    const json = '{"a":{"b":["x",{"c":"y\\n"}]},"d":[[1],"\\u0041"],"e":true,"f":[{},"z"]}';
    await highlightJson(json, (text, path: JsonPath) => {
      seen.push([path.join('.'), text]);
      return undefined;
    });
    assert.deepEqual(seen, [
      ['a.b.0', 'x'],
      ['a.b.1.c', 'y\n'],
      ['d.0.0', '1'],
      ['d.1', 'A'],
      ['e', 'true'],
      ['f.1', 'z'],
    ]);
  });

  it('takes a time that grows with the length only, also if a text has no end', async () => {
    const json = `{"a":"${'\\"'.repeat(200_000)}`;
    const html = await highlightJson(json, NO_MARKS);
    assert.ok(html.length > json.length);
  });
});
