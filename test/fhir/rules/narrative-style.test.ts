/** Which styles a narrative may have: none that hides, covers or moves text, fetches or runs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STYLE_LENGTH_MAX, styleProblems } from '../../../src/fhir/rules/narrative-safety.ts';

describe('a style is accepted with', () => {
  const styles = [
    '',
    ' ; ;',
    'color: rgb(1, 2, 3); background-color: #fff; background: #EFEFEF',
    'COLOR:Red!important; color: darkgreen ! important',
    'background-color: transparent; border-color: red transparent',
    'padding:0px 4px 0px 4px; margin: 0 auto; margin-bottom: 5px; text-indent: 1.5em',
    'border: 0px #F0F0F0 solid; border-right: 1px solid; border-top-width: thin; border-radius: 3px',
    'border-collapse: collapse; border-spacing: 1px 2px; table-layout: fixed; caption-side: bottom',
    'width: 33%; height: 100px; max-width: none; min-height: .5in',
    'font-size: 11px; font-weight: bold; font-style: italic; font-variant: small-caps',
    'font-size: 50%; font-size: 0.8em; font-size: x-small; font-size: larger',
    `font-family: "Times New Roman", 'ＭＳ 明朝', Arial, sans-serif`,
    'float: right; clear: both; display: block; display: table-cell',
    'text-align : left; vertical-align: top; white-space: nowrap; text-decoration: underline',
    'list-style-type: upper-roman; list-style: square inside; line-height: 1.2',
    'color: inherit; width: initial\n;\tpage-break-inside: avoid',
  ];
  for (const style of styles) {
    test(style || 'nothing', () => assert.deepEqual(styleProblems(style), []));
  }
});

describe('a style is refused with', () => {
  const styles = [
    // What hides or covers.
    'position: fixed',
    'position:absolute',
    'Position: sticky',
    'display: none',
    'display: table-column',
    'display: contents',
    'visibility: hidden',
    'opacity: 0',
    'filter: opacity(0)',
    'z-index: 9',
    'top: 0',
    'left: -9999px',
    'margin-left: -9999px',
    'margin: 0 -1px',
    'text-indent: -9999px',
    'transform: scale(0)',
    'clip: rect(0,0,0,0)',
    'clip-path: circle(0)',
    'overflow: hidden',
    'font-size: 0',
    'font-size: 0.1em',
    'font-size: 1px',
    'font-size: 4%',
    'line-height: 0',
    'color: transparent',
    'color: rgba(0,0,0,0)',
    'color: #0000',
    'content: "a"',
    'direction: rtl',
    'unicode-bidi: bidi-override',
    'all: unset',
    '--a: b',
    // What fetches or runs.
    'background: url(https://example.org/a.png)',
    'background: URL (a.png)',
    'background-image: url(data:image/png;base64,AA==)',
    'list-style: url(a.png)',
    'list-style-image: none',
    'background: \\75 rl(a.png)',
    'background: \\000075\\000072\\00006c(a.png)',
    'background: u\\rl(a.png)',
    'background: u/* */rl(a.png)',
    'background: image-set("a.png" 1x)',
    'width: expression(alert(1))',
    'width: exp/**/ression(alert(1))',
    'width: ｅｘｐｒｅｓｓｉｏｎ(alert(1))',
    'font-family: ｅｘｐｒｅｓｓｉｏｎ(alert(1))',
    'width: calc(1px - 9999px)',
    'width: var(--a)',
    'width: attr(title)',
    'cursor: url(a.cur)',
    'behavior: none',
    '-moz-binding: none',
    '@import "a"',
    'a: javascript:b',
    // What is no declaration.
    'red',
    ':red',
    'color',
    'color:',
    'color: red blue',
    'color: red}',
    'font-family: "a',
    'font-family: a"b"',
    'color: red /* a comment */',
    'c\\olor: red',
    'color\u00a0: red',
    '__proto__: red',
    'constructor: red',
  ];
  for (const style of styles) {
    test(style, () => {
      const problems = styleProblems(`color: red; ${style}; float: left`);
      assert.ok(problems.length >= 1);
      assert.match(problems[0] ?? '', /^The narrative has the style ".*"\. Leave it out/);
    });
  }
});

describe('the length of a style', () => {
  test('is at most 4096 characters, and is looked at before anything else', (context) => {
    assert.deepEqual(styleProblems(`color:${' '.repeat(STYLE_LENGTH_MAX - 9)}red`), []);
    const replaceAll = context.mock.method(String.prototype, 'replaceAll');
    for (const style of ['a', '\u0316\u0301', '\\', '/*', ';', ' '].map((text) =>
      text.repeat(STYLE_LENGTH_MAX + 1),
    )) {
      assert.deepEqual(styleProblems(style), [
        `A style in the narrative has ${style.length} characters. Use at most 4096.`,
      ]);
    }
    assert.equal(replaceAll.mock.callCount(), 0);
  });
});
