/** Which narratives are safe to show, and which are refused. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { narrativeProblems } from '../../../src/fhir/rules/narrative-safety.ts';

const div = (content: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${content}</div>`;
const link = (href: string) => `<a href="${href}">x</a>`;
const image = (src: string) => `<img src="${src}" alt="x"/>`;
const style = (css: string) => `<p style="${css}">x</p>`;

describe('a narrative is accepted with', () => {
  const cases = [
    'text',
    '<p>text</p>',
    '<img src="#logo"/>',
    '<table border="0" cellpadding="1"><caption>a</caption><colgroup><col width="1"/></colgroup><tbody><tr><td colspan="2" style="font-weight: bold;">a</td></tr></tbody></table>',
    '<p xml:lang="cy" lang="cy" dir="ltr" class="a b" title="c" id="d">x<sub>1</sub><sup>2</sup><br/></p>',
    '<pre xml:space="preserve"> x </pre>',
    '<ul><li>a</li></ul><ol start="2"><li value="3">b</li></ol><dl><dt>c</dt><dd>d</dd></dl>',
    '<blockquote cite="https://example.org/">x</blockquote><hr/>',
    '<a name="here">x</a>',
    link('http://example.org/?a=b&amp;c=d#e'),
    link('HTTPS://example.org/'),
    link('mailto:a@example.org'),
    link('tel:+441132000000'),
    link('#here'),
    link('Patient/1'),
    link('Patient/1/_history/2#name'),
    link('../../v3/ActCode/cs.html'),
    link('datatypes.html#CodeableConcept'),
    link('Observation?code=http://loinc.org|1234-5&amp;subject=Patient/1'),
    image('data:image/png;base64,iVBORw0KGgo='),
    image('data:image/gif;base64,R0lGODlhAQABAAAAACw='),
    image('data:image/jpeg;base64,/9j/4AAQSkZJRg=='),
  ];
  for (const content of cases) {
    test(content.slice(0, 90), () => assert.deepEqual(narrativeProblems(div(content)), []));
  }
});

describe('a narrative is refused with', () => {
  const cases: readonly (readonly [content: string, problem: RegExp])[] = [
    ['', /txt-2/],
    [' \n\t<p> </p><br/>', /txt-2/],
    ['<img alt="no source"/>', /txt-2/],
    ['x<script>alert(1)</script>', /element "script".*txt-1/],
    ['x<SCRIPT>alert(1)</SCRIPT>', /element "SCRIPT"/],
    ['x<form><input/></form>', /element "form"/],
    ['x<iframe src="#a"/>', /element "iframe"/],
    ['x<object data="a"/>', /element "object"/],
    ['x<style>p { color: red }</style>', /element "style"/],
    ['x<link rel="stylesheet" href="https://example.org/a.css"/>', /element "link"/],
    ['x<svg/>', /element "svg"/],
    ['x<base href="https://example.org/"/>', /element "base"/],
    ['<p onclick="alert(1)">x</p>', /attribute "onclick".*txt-3/],
    ['<p onClick="alert(1)">x</p>', /attribute "onClick"/],
    ['<img src="#a" onerror="alert(1)"/>', /attribute "onerror"/],
    ['<a href="#a" target="_top">x</a>', /attribute "target"/],
    ['<p xml:base="https://example.org/">x</p>', /attribute "base"/],
    ['<table background="https://example.org/a.png"><tr><td>x</td></tr></table>', /"background"/],
    [link('javascript:alert(1)'), /href "javascript/],
    [link('JaVaScRiPt:alert(1)'), /href/],
    [link('&#106;avascript&#58;alert(1)'), /href "javascript/],
    [link('java&#9;script:alert(1)'), /href/],
    [link('java&#10;script:alert(1)'), /href/],
    [link('&#1632;javascript:alert(1)'), /href/],
    [link(' javascript:alert(1)'), /href/],
    [link('vbscript:msgbox(1)'), /href/],
    [link('data:text/html,&lt;script>alert(1)&lt;/script>'), /href/],
    [link('file:///etc/passwd'), /href/],
    [link('//example.org/'), /href/],
    [link('/Patient/1'), /href/],
    [link('a/b:c'), /href/],
    [link('\\\\example.org/'), /href/],
    [link('a b'), /href/],
    [link('./javascript:alert(1)'), /href/],
    [link('https:example.org'), /href/],
    [link('https://a&#10;b'), /href/],
    [link(''), /href/],
    [link('#'), /href/],
    ['<q cite="javascript:alert(1)">x</q>', /cite/],
    ['<img src="#a" longdesc="javascript:alert(1)"/>', /longdesc/],
    [image('https://example.org/a.png'), /src/],
    [image('a.png'), /src/],
    [image('data:image/svg+xml;base64,PHN2Zy8+'), /src/],
    [image('data:image/png,abc'), /src/],
    [image('data:text/html;base64,PHA+'), /src/],
    [image('javascript:alert(1)'), /src/],
    [style('position: fixed'), /style "position: fixed"/],
    [`<p style="color: red;${' '.repeat(4096)}">x</p>`, /4107 characters. Use at most 4096/],
  ];
  for (const [content, problem] of cases) {
    test(content || 'nothing', () => {
      const problems = narrativeProblems(div(content));
      assert.equal(
        problems.some((one) => problem.test(one)),
        true,
        problems.join(),
      );
    });
  }
});

describe('what is wrong with a narrative', () => {
  test('is reported once for each kind, and at most a hundred times', () => {
    assert.equal(narrativeProblems(div('x<b on="1"/>'.repeat(50))).length, 1);
    const many = Array.from({ length: 1000 }, (_, index) => `<p on${index}="">x</p>`).join('');
    assert.equal(narrativeProblems(div(many)).length, 100);
  });

  test('is found in linear time', () => {
    const long = 300_000;
    const cases = [
      style('/*'.repeat(long)),
      link(`https://${'a'.repeat(long)} `),
      image(`data:image/png;base64,${'A'.repeat(long)}!`),
      image(`data:image/png;base64,${' '.repeat(long)}!`),
    ];
    for (const content of cases) assert.ok(narrativeProblems(div(content)).length <= 1);
  });
});
