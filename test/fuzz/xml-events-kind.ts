/**
 * Documents that the product's tokenizer, saxes and libxml2 must read alike: all three accept a
 * document and report the same events, or all three refuse it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dstu2 } from '../../src/fhir/definitions/published.ts';
import { decodeXml, encodeXml } from '../../src/fhir/format/xml.ts';
import { releaseXml } from '../sources/release-file/release-fixture.ts';
import { ROOT } from '../tidy/source-files.ts';
import { XML_WORDS } from './codec-words.ts';
import type { Find, FuzzKind } from './fuzz-kind.ts';
import { type Material, mutate } from './mutate.ts';
import { below, seededRandom } from './seeded-random.ts';
import {
  DOCTYPE,
  type Reading,
  readWithLibxml2,
  readWithSaxes,
  readWithTokenizer,
} from './xml-events.ts';

export function openXmlEventsKind(): FuzzKind {
  const material = materialOf();
  let accepted = 0;
  let judged = 0;
  return {
    generate: (random) => wellEncoded(mutate(random, material)),
    attempt: (input) => {
      const reading = readWithTokenizer(input);
      if ('events' in reading) accepted += 1;
      return (
        differenceByCuts(input, reading) ??
        difference('saxes', input, reading, readWithSaxes(input))
      );
    },
    inspect: async (recent) => {
      const inputs = recent.filter((input) => isForLibxml2(input));
      judged += inputs.length;
      return await differencesFromLibxml2(inputs);
    },
    figures: () => ({ accepted, 'judged by libxml2': judged }),
  };
}

/** Valid UTF-8 without a byte order mark, as the product gives documents to the tokenizer. */
function wellEncoded(input: Buffer): Buffer {
  return Buffer.from(new TextDecoder().decode(input));
}

/** Pieces that end anywhere must not change the reading. */
function differenceByCuts(input: Buffer, whole: Reading): string | undefined {
  const random = seededRandom(input.length);
  const count = 1 + below(random, 8);
  const some = Array.from({ length: count }, () => below(random, input.length + 1));
  const isShort = input.length < 2000 && input.length % 10 === 0;
  const cuts = isShort ? [...input.keys()] : some.sort((a, b) => a - b);
  const cut = readWithTokenizer(
    input,
    cuts.filter((at) => isCharacterStart(input, at)),
  );
  if (JSON.stringify(cut) === JSON.stringify(whole)) return undefined;
  return `reads otherwise in pieces: ${shown(cut)} instead of ${shown(whole)}`;
}

function isCharacterStart(input: Buffer, at: number): boolean {
  const byte = input[at];
  return byte === undefined || byte < 0x80 || byte >= 0xc0;
}

function difference(
  judge: 'saxes' | 'libxml2',
  input: Buffer,
  ours: Reading,
  theirs: Reading,
): string | undefined {
  if ('refused' in ours) {
    if ('refused' in theirs || ours.refused === DOCTYPE) return undefined;
  } else if ('events' in theirs && ours.events === theirs.events) return undefined;
  if (JUDGED.some((one) => one.judge === judge && one.explains(input, ours, theirs)))
    return undefined;
  return `${judge} reads ${shown(theirs)}, the tokenizer ${shown(ours)}`;
}

function shown(reading: Reading): string {
  if ('events' in reading) return `events (${reading.events.length} characters)`;
  return `"${reading.refused}" at ${reading.offset}`;
}

interface Judged {
  readonly judge: 'saxes' | 'libxml2';
  explains(input: Buffer, ours: Reading, theirs: Reading): boolean;
}

/** Differences that were judged: the tokenizer is right in all of them. */
const JUDGED: readonly Judged[] = [
  {
    judge: 'saxes',
    // XML 1.0, production 16: white space must follow the target of an instruction, or `?>`.
    explains: (input, ours, theirs) =>
      'events' in theirs &&
      'refused' in ours &&
      ours.refused === 'disallowed character in processing instruction name' &&
      input[ours.offset ?? 0] === 0x3f,
  },
  {
    judge: 'saxes',
    // Namespaces in XML 1.0, production 11: the name behind a prefix begins as names begin.
    explains: (_, ours, theirs) =>
      'events' in theirs && 'refused' in ours && /^malformed name: [^:]+:[^:]+$/.test(ours.refused),
  },
  {
    judge: 'saxes',
    // Namespaces in XML 1.0, section 2.3: names of namespaces are compared as they are written.
    explains: (_, ours, theirs) =>
      'events' in theirs && 'events' in ours && trimmed(theirs.events) === trimmed(ours.events),
  },
  {
    judge: 'saxes',
    // By the same rule, a name of spaces is not the empty one, which undeclares a prefix.
    explains: (input, ours, theirs) =>
      'events' in ours &&
      'refused' in theirs &&
      theirs.refused.startsWith('invalid attempt to undefine prefix') &&
      /xmlns:[^=]+=\s*(["'])(?:\s|&#(?:9|10|13|32);)+\1/.test(input.toString()),
  },
  {
    judge: 'libxml2',
    // XML 1.0, section 3.1, "Unique Att Spec": also for the declaration of the prefix xml.
    explains: (_, ours, theirs) =>
      'events' in theirs && 'refused' in ours && ours.refused === 'duplicate attribute: xmlns:xml',
  },
];

function trimmed(events: string): string {
  return events.replace(/\{\s*([^}]*?)\s*\}/g, '{$1}');
}

/** libxml2 follows the encoding that is declared, and reads document type declarations. */
function isForLibxml2(input: Buffer): boolean {
  const ours = readWithTokenizer(input);
  if ('refused' in ours) return ours.refused !== DOCTYPE && !OTHER_ENCODING.test(input.toString());
  // What libxml2 writes is cut at declarations, of which a text may have copies.
  const hasCopies = input.lastIndexOf('<?xml ') > 0;
  return !hasCopies && (ours.encoding === undefined || /^utf-8$/i.test(ours.encoding));
}

const OTHER_ENCODING = /encoding\s*=\s*["'](?!utf-8["'])/i;

/** Where libxml2 does not read all inputs, each half is given to it, down to one that is skipped. */
async function differencesFromLibxml2(inputs: readonly Buffer[]): Promise<readonly Find[]> {
  const readings = await readWithLibxml2(inputs);
  if (readings === undefined) {
    if (inputs.length < 2) return [];
    const middle = inputs.length >>> 1;
    const first = await differencesFromLibxml2(inputs.slice(0, middle));
    return [...first, ...(await differencesFromLibxml2(inputs.slice(middle)))];
  }
  return inputs.flatMap((input, index) => {
    const theirs = readings[index] ?? { refused: 'nothing' };
    const reason = difference('libxml2', input, readWithTokenizer(input), theirs);
    return reason === undefined ? [] : [{ reason, input }];
  });
}

/** Bodies, a release, and a document with everything that XML has. */
function materialOf(): Material {
  const sample = readFileSync(join(ROOT, 'sample', 'order-response.xml'));
  const { resource } = decodeXml(sample, dstu2, {});
  if (resource === undefined) throw new Error('the sample cannot be read');
  const seeds = [
    sample,
    Buffer.from(encodeXml(resource, dstu2, { pretty: false })),
    Buffer.from(releaseXml(['<Organisation a="b"><Name>É &amp; Ö</Name></Organisation>'])),
    Buffer.from(RICH),
    Buffer.from(RICH),
  ];
  const dictionary = [...XML_WORDS, ...WORDS].map((word) => Buffer.from(word));
  return { seeds, dictionary, boundaries: '<>' };
}

const RICH = `<?xml version='1.0' encoding="UTF-8" standalone="yes" ?>
<?pi  some ? > text?><!-- é - comment -->
<p:root xmlns:p="urn:p" xmlns="urn:d" xmlns:q = 'urn:q'
  a="1" p:a="2" q:a='"3"' xml:lang="en" xml:space='preserve'>
 text &lt;&gt;&amp;&apos;&quot; &#233;&#xE9;&#x1F600; ]] > \u{1f600}\r\n\r<![CDATA[ <x>&amp; ]] ]]]]><![CDATA[>]]>
 <e/><e a="\t\n\r\n x &#9;&#10;&#13; "/><e xmlns=""><f p:b=">"/></e ><p:e xmlns:p="urn:r" p:c=''></p:e>
 <été naïve·="ü" _1.2-3="x"><名前:e xmlns:名前="urn:n" 名前:ä="ö"/></été>
 <!----><?t?>
</p:root>
<!-- end --><?end?>
`;

const WORDS: readonly string[] = [
  'a:1',
  ':a',
  'a:',
  'a:b:c',
  '1a',
  '-',
  '.',
  ' xmlns:a=""',
  ' xmlns=""',
  ' xmlns:a=" urn:x "',
  '--',
  '-->',
  '--->',
  '<!-->',
  '<?',
  '?>',
  '??>',
  '<?xml?>',
  '<?XML a?>',
  '<?a:b?>',
  ']]',
  ']]]>',
  '&',
  '&#',
  '&#x',
  '&;',
  '&#;',
  '&#x;',
  '&#X41;',
  '&#xfffe;',
  '&#55296;',
  '&#99999999999;',
  '&a b;',
  '</',
  '</a',
  '<a ',
  '<a/',
  '/',
  '=',
  '"',
  "'",
  ' a',
  ' a=',
  ' a="',
  ' a=b',
  ' a="1"a="2"',
  '\r',
  '\r\n',
  '\n',
  '\t',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\ufffd',
  '\uffff',
  '\u{10ffff}',
  '×',
  '·',
  ' xmlns:a="http://www.w3.org/XML/1998/namespace"',
  ' xmlns:xml="http://www.w3.org/XML/1998/namespace"',
  ' xmlns="http://www.w3.org/XML/1998/namespace"',
  ' xmlns="http://www.w3.org/2000/xmlns/"',
  ' xmlns:a="urn:p" xmlns:b="urn:p" a:x="1" b:x="2"',
  ' xmlns:="urn:x"',
  '<xmlns:a/>',
  '<xml:a/>',
  '<xml/>',
  '<a xml:b=""/>',
  '<![CDATA[',
  '<!x>',
  '<![',
];
