/** The XML tokenizer: what it refuses and where, pieces of any size, and what two others read. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { StartTag } from '../../../src/fhir/format/xml-tokenizer/tag.ts';
import { XmlTokenizer } from '../../../src/fhir/format/xml-tokenizer/tokenizer.ts';
import { XmlError } from '../../../src/fhir/format/xml-tokenizer/window.ts';
import { seededRandom } from '../../fuzz/seeded-random.ts';
import { readWithTokenizer } from '../../fuzz/xml-events.ts';
import { openXmlEventsKind } from '../../fuzz/xml-events-kind.ts';

const ignore = {
  open: (_tag: StartTag) => {},
  close: () => {},
  text: () => {},
  doctype: (name: string): never => {
    throw new Error(`DOCTYPE ${name}`);
  },
};

/** The first `^` shows the offset at which a document is refused; it is not part of it. */
const refused: readonly (readonly [document: string, message: RegExp])[] = [
  ['^', /must contain a root element/],
  ['<a^', /unexpected end inside a tag/],
  ['<a><b></a^></b>', /unexpected close tag/],
  ['<a></a></b^>', /unmatched closing tag/],
  ['<a>\n<b^', /unexpected end/],
  ['<a>x^', /unclosed tag: a/],
  ['<a/><b/^>', /only one root/],
  ['^x<a/>', /outside of root/],
  ['<a/>\n^&#32;', /outside of root/],
  ['<a/>^<![CDATA[]]>', /outside of root/],
  ['<^1/>', /character in tag name/],
  ['<a^|/>', /character in attribute name/],
  ['<a b^/>', /attribute without value/],
  ['<a b=^c/>', /unquoted attribute value/],
  ['<a b="c"^d="e"/>', /no whitespace between attributes/],
  ['<a b="^<"/>', /disallowed character/],
  ['<a b="c" b="d"/^>', /duplicate attribute: b/],
  ['<a xmlns:x="u" xmlns:y="u" x:b="" y:b=""/^>', /duplicate attribute: \{u\}b/],
  ['<a /^ >', /forward-slash/],
  ['</^>', /unmatched closing tag/],
  ['<a></a ^b>', /character in closing tag/],
  ['<x:a/^>', /unbound namespace prefix: "x"/],
  ['<a x:b=""^>', /unbound namespace prefix: "x"/],
  ['<a:b:c^ xmlns:a="u"/>', /malformed name: a:b:c/],
  ['<a:1^ xmlns:a="u"/>', /malformed name: a:1/],
  ['<×^/>', /malformed name/],
  ['<a xmlns:b=""/^>', /undefine prefix/],
  ['<a xmlns:xmlns="u"/^>', /prefix xmlns/],
  ['<a xmlns="http://www.w3.org/2000/xmlns/"/^>', /no prefix may be bound/],
  ['<a xmlns:xml="u"/^>', /prefix xml/],
  ['<a xmlns:b="http://www.w3.org/XML/1998/namespace"/^>', /prefix xml/],
  ['<a>^&</a>', /must begin a reference/],
  ['<a>^&b c;</a>', /must begin a reference/],
  ['<a>&nbsp^;</a>', /undefined entity/],
  ['<a>&#^;</a>', /malformed character entity/],
  ['<a>&#x^;</a>', /malformed character entity/],
  ['<a>&#^X41;</a>', /malformed character entity/],
  ['<a>&#0^;</a>', /malformed character entity/],
  ['<a>&#xd800^;</a>', /malformed character entity/],
  ['<a>&#99999999999999999999^;</a>', /malformed character entity/],
  ['<a>]]^></a>', /"\]\]>" is disallowed/],
  ['<a>^\u0001</a>', /disallowed character/],
  ['<a>é^\uffff</a>', /disallowed character/],
  ['<a b="^\u0000"/>', /disallowed character/],
  ['<a><!-- ^\ufffe --></a>', /disallowed character/],
  ['<a><![CDATA[^\u0008]]></a>', /disallowed character/],
  ['<!-- a --^ b --><a/>', /malformed comment/],
  ['<!-- a --^-><a/>', /malformed comment/],
  ['<!^x><a/>', /incorrect syntax/],
  ['<?^?><a/>', /without a target/],
  ['<?a^??><a/>', /processing instruction name/],
  ['<?a:b^?><a/>', /processing instruction name/],
  [' ^<?xml version="1.0"?><a/>', /start of the document/],
  ['^<?XML a?><a/>', /start of the document/],
  ['<?xml?^><a/>', /XML declaration is malformed/],
  ['<?xml version="2.0"?^><a/>', /XML declaration is malformed/],
  ['<?xml version="1.0"encoding="UTF-8"?^><a/>', /XML declaration is malformed/],
  ['<?xml version="1.0" standalone="yes" encoding="UTF-8"?^><a/>', /XML declaration is malformed/],
];

describe('a document that is not well-formed', () => {
  for (const [marked, message] of refused) {
    test(`is refused: ${JSON.stringify(marked)}`, () => {
      const document = marked.replace('^', '');
      const offset = Buffer.byteLength(marked.slice(0, marked.indexOf('^')));
      const isEnd = marked.endsWith('^');
      const reading = readWithTokenizer(Buffer.from(document));
      assert.ok('refused' in reading, JSON.stringify(reading));
      assert.match(reading.refused, message);
      // At its end the last byte is at fault.
      assert.equal(reading.offset, Math.max(0, isEnd ? offset - 1 : offset));
    });
  }

  test('names the element of a DOCTYPE', () => {
    for (const [document, name] of [
      ['<!DOCTYPE html><html/>', 'html'],
      ['<!DOCTYPE\n a [<!ENTITY b "c">]><a/>', 'a'],
      ['<a><!DOCTYPE b></a>', 'b'],
    ]) {
      const tokenizer = new XmlTokenizer(ignore);
      assert.throws(() => tokenizer.write(Buffer.from(document ?? '')), {
        message: `DOCTYPE ${name}`,
      });
    }
  });

  test('may be any version 1.x', () => {
    for (const version of ['1.0', '1.1', '1.9']) {
      assert.ok('events' in readWithTokenizer(Buffer.from(`<?xml version='${version}'?><a/>`)));
    }
  });
});

test('an instruction whose name only begins with xml is no XML declaration', () => {
  // U+FEFF is white space in JavaScript, and a character of names in XML: production 4.
  for (const letter of ['\ufeff', '\u2070', '-', '1']) {
    const document = Buffer.from(`<?xml${letter} version='2.0'?><a/>`);
    assert.ok('events' in readWithTokenizer(document), JSON.stringify(letter));
  }
});

describe('a tag, comment or section', () => {
  const bytesMax = 1000;
  const limited = () =>
    new XmlTokenizer(ignore, {
      tokenBytesMax: bytesMax,
      refuseToken: () => {
        throw new RangeError('too long');
      },
    });
  const starts = [
    '<a b="',
    '<a ',
    `<${'a'.repeat(10)}`,
    '<a><!--',
    '<a><![CDATA[',
    '<?a ',
    '<a>&b',
  ];

  test('is refused when it is longer than allowed, in pieces of any size', () => {
    for (const start of starts) {
      for (const size of [1, 7, 100, 5000]) {
        const tokenizer = limited();
        const rest = Buffer.from('a'.repeat(size));
        tokenizer.write(Buffer.from(start));
        const writeAll = () => {
          for (let written = 0; written < 3 * bytesMax; written += size) tokenizer.write(rest);
        };
        assert.throws(writeAll, RangeError, `${start} in pieces of ${size}`);
      }
    }
  });

  test('is read in time that grows with its length, also byte by byte', () => {
    // Reading it again for each byte would take 10^11 steps.
    const length = 400_000;
    const tokenizer = new XmlTokenizer(ignore);
    tokenizer.write(Buffer.from('<a b="'));
    const byte = Buffer.from('c');
    for (let i = 0; i < length; i++) tokenizer.write(byte);
    tokenizer.write(Buffer.from('"/>'));
    tokenizer.end();
    assert.equal(tokenizer.bytesWritten, length + 9);
  });
});

test('the number of a line counts line breaks of each kind, wherever they are', () => {
  const breaks = ['\n', '\r\n', '\r', '\n\n', 'x\n', '\r\r'];
  const lines = [1, 1, 1, 2, 1, 2];
  for (const [index, text] of breaks.entries()) {
    const before = lines[index] ?? 0;
    const places = [
      `<a>${text}&;`,
      `<a b="${text}"/>&;`,
      `<a ${text.replace('x', '')} b=""/>&;`,
      `<a></a${text.replace('x', '')}>&;`,
      `<!--${text}--><a>&;`,
      `<?a ${text}?><a>&;`,
      `<a><![CDATA[${text}]]>&;`,
    ];
    for (const document of places) {
      for (const size of [1, 1000]) {
        const tokenizer = new XmlTokenizer(ignore);
        assert.throws(
          () => {
            for (let at = 0; at < document.length; at += size) {
              tokenizer.write(Buffer.from(document.slice(at, at + size)));
            }
            tokenizer.end();
          },
          (error) => {
            assert.ok(error instanceof XmlError);
            assert.equal(tokenizer.lineOf(error.offset), 1 + before, JSON.stringify(document));
            return true;
          },
        );
      }
    }
  }
});

describe('mutated documents', () => {
  const kind = openXmlEventsKind();
  after(() => kind.close?.());
  const random = seededRandom(20_261_122);

  test('are read as saxes and libxml2 read them, in pieces as a whole', async () => {
    const inputs = Array.from({ length: 2000 }, () => kind.generate(random));
    for (const input of inputs) {
      assert.equal(await kind.attempt(input), undefined, JSON.stringify(input.toString()));
    }
    const finds = await kind.inspect?.(inputs.slice(0, 500));
    assert.deepEqual(
      finds?.map(({ reason, input }) => `${reason}: ${input}`),
      [],
    );
  });
});
