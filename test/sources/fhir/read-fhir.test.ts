/** FHIR sources with mistakes: what is left out, what is reported, and what ends the import. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SourceError } from '../../../src/directory/record/source.ts';
import { STU3 } from '../../../src/fhir/definitions/fhir-version.ts';
import { encodeXml } from '../../../src/fhir/format/xml.ts';
import type { ResourceObject } from '../../../src/interfaces/answer/resource-parts.ts';
import type { FhirForm } from '../../../src/sources/fhir/read-resources.ts';
import { repetitions } from '../../campaign.ts';
import { RECORDS } from '../../directory/records.ts';
import { fc } from '../../property.ts';
import type { Told } from '../release-file/release-fixture.ts';
import { bundleOf, linesOf, type Reading, readSourceText, resourceOf } from './fhir-fixture.ts';

const NONE = { resourceType: 'Organization' };
const [FIRST = NONE, , SECOND = NONE]: readonly ResourceObject[] = RECORDS.map((record) =>
  resourceOf(record),
);
const first = JSON.stringify(FIRST);
const second = JSON.stringify(SECOND);
const OUTCOME = {
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'invalid' }],
};
const xmlOf = (resource: { resourceType: string }) => encodeXml(resource, STU3.definitions);
const bundleXml = xmlOf(bundleOf([FIRST, SECOND]));

/** A Bundle in the form of `gazetteer export`. */
const entryLinesOf = (...entries: readonly string[]) =>
  `{"resourceType":"Bundle","type":"collection","entry":[\n${entries.join(',\n')}\n]}\n`;

const codesOf = (told: Told) => told.records.map(({ code }) => code).join(' ');

/** Between the first and the second of two organisations stands something else. */
describe('left out with its place, and the rest is read:', () => {
  const badActive = first.replace('"active":true', '"active":"yes"').replaceAll('A81001', 'B1');
  const twice = first.replace('"active":true', '"active":true,"active":true');
  const deep = `{"resourceType":"Organization","x":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  const large = first.replace('THE DENSHAM SURGERY', 'X'.repeat(1_100_000));
  const lines: readonly (readonly [name: string, line: string, leftOut: RegExp])[] = [
    [
      'a line that is not JSON',
      'junk',
      /^invalid-resource line 2: not JSON: a value was expected$/,
    ],
    [
      'a line that is cut off',
      first.slice(0, 300),
      /^invalid-resource line 2: not JSON: .* no end$/,
    ],
    ['a line that is cut off in a text', first.slice(0, 20), /^invalid-resource line 2: not JSON/],
    [
      'a line that is cut off behind a backslash',
      '{"name":"a\\',
      /line 2: not JSON: an escape is unknown$/,
    ],
    [
      'a line with more behind its end',
      `${badActive} x`,
      /line 2: not JSON: .* more text after its end$/,
    ],
    ['a line with a wrong value', '{"a":nul}', /^invalid-resource line 2: not JSON: a value was/],
    ['a line that is an array', '[]', /^invalid-resource line 2: not a JSON object$/],
    ['a line with brackets that do not match', '{"a":[}}', /^invalid-resource line 2: not JSON/],
    [
      'an invalid resource',
      badActive,
      /^invalid-resource B1: line 2: \/f:Organization\/f:active: /,
    ],
    ['a name twice', twice, /^invalid-resource A81001: line 2: .*"active" occurs twice/],
    ['another resource', JSON.stringify(OUTCOME), /line 2: a resource of type OperationOutcome/],
    ['a resource of no type', '{}', /^invalid-resource line 2: A resource needs a resourceType/],
    ['one that is nested too deep', deep, /^invalid-resource line 2: nested more than 66 levels/],
    ['one that is too large', large, /^invalid-resource line 2: it is larger than 1048576 bytes$/],
    [
      'one of no type that is known',
      '{"resourceType":"\\u001bX"}',
      /^invalid-resource line 2: "\\u001bX" is not a resource type/,
    ],
    [
      'an Organization without roles',
      JSON.stringify({ ...SECOND, extension: undefined }),
      /^no-role RR8: line 2$/,
    ],
    [
      'a Bundle with two lists of entries',
      '{"resourceType":"Bundle","entry":[],"entry":[{}]}',
      /line 2: the Bundle has a name twice/,
    ],
    [
      'a list with entries',
      '{"resourceType":"List","entry":[{}]}',
      /line 2: a resource of type List/,
    ],
    ['entries of another type', '{"entry":[],"resourceType":"List"}', /line 2: .* of type List/],
    ['a Bundle with one entry', '{"resourceType":"Bundle","entry":{}}', /line 2: .* not a list/],
    [
      'a Bundle with something between its entries',
      '{"resourceType":"Bundle","entry":[7]}',
      /^invalid-resource line 2, entry 1: the entry has no resource$/,
    ],
    [
      'a Bundle with a comma too many',
      '{"resourceType":"Bundle","entry":[{"resource":{}},]}',
      /line 2: not JSON: /,
    ],
  ];
  for (const [name, line, leftOut] of lines) {
    it(`${name}, in NDJSON`, async () => {
      for (const chunkBytes of [7, 65_536]) {
        const told = await readSourceText(`${first}\n${line}\n${second}`, { chunkBytes });
        assert.equal(codesOf(told), 'A81001 RR8');
        assert.match(told.leftOut.at(-1) ?? '', leftOut);
      }
    });
  }

  const entries: readonly (readonly [name: string, entry: string, leftOut: RegExp])[] = [
    ['another resource', JSON.stringify({ resource: OUTCOME }), /entry 2: .* OperationOutcome/],
    ['no resource', '{"fullUrl":"urn:x"}', /^invalid-resource entry 2: the entry has no resource$/],
    ['an invalid one', `{"resource":${badActive}}`, /B1: entry 2: \/f:Organization\/f:active: /],
    ['a large one', `{"resource":${large}}`, /^invalid-resource A81001: entry 2: .*f:name/],
  ];
  for (const [name, entry, leftOut] of entries) {
    it(`${name}, in a Bundle`, async () => {
      const around = `{"resource":${first}},\n${entry},{"resource":${second}}`;
      for (const chunkBytes of [7, 65_536]) {
        const told = await readSourceText(`{"entry": [${around}],\n"resourceType":"Bundle"}`, {
          chunkBytes,
        });
        assert.equal(codesOf(told), 'A81001 RR8');
        assert.equal(told.leftOut.length, 1);
        assert.match(told.leftOut[0] ?? '', leftOut);
      }
    });
  }

  const entryLines: typeof entries = [
    ...entries.slice(0, -1),
    ['what is not JSON', '{"resource":tru}', /^invalid-resource entry 2: not JSON: /],
    ['a large one', `{"resource":${large}}`, /^invalid-resource entry 2: it is larger/],
    ['a deep one', `{"resource":${deep}}`, /^invalid-resource entry 2: nested more than 66/],
  ];
  for (const [name, entry, leftOut] of entryLines) {
    it(`${name}, in a Bundle with an entry on each line`, async () => {
      for (const chunkBytes of [7, 65_536]) {
        const source = entryLinesOf(`{"resource":${first}}`, entry, `{"resource":${second}}`);
        const told = await readSourceText(source, { chunkBytes });
        assert.equal(codesOf(told), 'A81001 RR8');
        assert.equal(told.leftOut.length, 1);
        assert.match(told.leftOut[0] ?? '', leftOut);
      }
    });
  }

  const middle = '</entry><entry>';
  const xmlEntries: readonly (readonly [name: string, entry: string, leftOut: RegExp])[] = [
    ['another resource', `<resource><List/></resource>`, /entry 2: a resource of type List/],
    ['no resource', '<fullUrl value="urn:x"/>', /^invalid-resource entry 2: the entry has no/],
    [
      'an invalid one',
      '<resource><Organization><id value="B1"/><colour/></Organization></resource>',
      /^invalid-resource B1: entry 2: .*"colour" is not an element of Organization/,
    ],
    [
      'one of another namespace',
      '<resource><Organization xmlns="urn:x"/></resource>',
      /^invalid-resource entry 2: .* is not in the namespace/,
    ],
    [
      'a deep one',
      `<resource><Organization>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</Organization></resource>`,
      /^invalid-resource entry 2: it is nested more than 64 deep$/,
    ],
    [
      'one with many elements',
      `<resource><Organization>${'<a/>'.repeat(60_000)}</Organization></resource>`,
      /^invalid-resource entry 2: it has more than 50000 elements$/,
    ],
    [
      'a large one',
      `<resource><Organization><name value="${'X'.repeat(1_100_000)}"/></Organization></resource>`,
      /^invalid-resource entry 2: it is larger than 1048576 bytes$/,
    ],
  ];
  for (const [name, entry, leftOut] of xmlEntries) {
    it(`${name}, in XML`, async () => {
      const source = bundleXml.replace(middle, () => `</entry><entry>${entry}${middle}`);
      for (const chunkBytes of [997, 65_536]) {
        const told = await readSourceText(source, { form: 'xml', chunkBytes });
        assert.equal(codesOf(told), 'A81001 RR8');
        assert.equal(told.leftOut.length, 1);
        assert.match(told.leftOut[0] ?? '', leftOut);
      }
    });
  }
});

it('the first line of a file that is named NDJSON may be at fault too', async () => {
  const told = await readSourceText(`{"resourceType":\n${first}\n`, { form: 'ndjson' });
  assert.equal(codesOf(told), 'A81001');
  assert.match(told.leftOut[0] ?? '', /^invalid-resource line 1: not JSON/);
});

it('bytes that are not UTF-8 spoil their line and no other', async () => {
  const lines = [first, first.replace('DENSHAM', 'D\u0000M'), second].join('\n');
  const bytes = Buffer.from(lines);
  bytes[bytes.indexOf(0)] = 0xff;
  const told = await readSourceText(bytes);
  assert.equal(codesOf(told), 'A81001 RR8');
  assert.deepEqual(told.leftOut, ['invalid-resource line 2: not UTF-8']);
});

describe('a Bundle', () => {
  it('with an entry on each line may be larger than a document', async () => {
    const diagnostics = 'x'.repeat(1_000_000);
    const outcome = { resourceType: 'OperationOutcome', issue: [{ diagnostics }] };
    const others = Array.from({ length: 35 }, () => JSON.stringify({ resource: outcome }));
    const source = entryLinesOf(`{"resource":${first}}`, ...others, `{"resource":${second}}`);
    assert.ok(source.length > 32 * 1024 ** 2);
    const told = await readSourceText(source);
    assert.equal(codesOf(told), 'A81001 RR8');
    assert.equal(told.leftOut.length, 35);
  });

  it('may have a line break after the brackets of its entries', async () => {
    const pretty = JSON.stringify(SECOND, null, 2);
    for (const entry of [`{"resource":\n${pretty}}`, `{\n"resource":${pretty}}`]) {
      assert.equal(codesOf(await readSourceText(entryLinesOf(entry))), 'RR8');
    }
    const ended = entryLinesOf(`{"resource":${first}}`);
    for (const end of ['\n]\n}\n', '\n ], "total": 1,\n"meta":{} }']) {
      assert.equal(codesOf(await readSourceText(ended.replace(/\n\]\}\n?$/, end))), 'A81001');
    }
    const untyped = entryLinesOf(`{"resource":${first}}`).replace('"resourceType":"Bundle",', '');
    await assert.rejects(readSourceText(untyped), /A resource needs a resourceType/);
  });
});

it('a byte order mark may come first', async () => {
  for (const [source, form] of [
    [first, 'json'],
    [first, 'ndjson'],
    [bundleXml, 'xml'],
  ] as const) {
    const told = await readSourceText(`\uFEFF${source}`, { form, chunkBytes: 2 });
    assert.match(codesOf(told), /^A81001/);
  }
});

it('XML may have prefixes, comments and text in sections', async () => {
  const prefixed = bundleXml
    .replaceAll(/<(\/?)(?=[A-Za-z])/g, '<$1f:')
    .replace('xmlns=', 'xmlns:f=')
    .replace('<f:entry>', '<!-- one --><f:entry><?two?>');
  assert.equal(codesOf(await readSourceText(prefixed, { form: 'xml' })), 'A81001 RR8');
});

it('code systems and a manifest follow the records', async () => {
  const other = (display: string) => second.replace('"NHS TRUST"', JSON.stringify(display));
  const source = [first, second, other('ANOTHER')].join('\n');
  const told = await readSourceText(source);
  assert.deepEqual(told.calls, ['record', 'progress', 'codeSystems', 'manifest']);
  assert.deepEqual(told.codeSystems, [
    {
      roles: [
        { code: '177', display: 'PRESCRIBING COST CENTRE' },
        { code: '76', display: 'GP PRACTICE' },
        { code: '197', display: 'NHS TRUST' },
      ],
      relationships: [],
      recordClasses: [{ code: '1', display: 'HSCOrg' }],
    },
  ]);
  assert.deepEqual(told.manifests, [{ publicationDate: '2020-01-15', publicationType: 'Full' }]);
});

it('without a last change the Bundle tells it, or it is today', async () => {
  const { meta: _, ...undated } = FIRST;
  const meta = { lastUpdated: '2026-09-01T10:00:00.000Z' };
  const dated = bundleOf([undated], { meta });
  const cases: readonly (readonly [source: string, expected: string, reading?: Reading])[] = [
    [JSON.stringify(dated), '2026-09-01T10:00:00.000Z'],
    [xmlOf(dated), '2026-09-01T10:00:00.000Z', { form: 'xml' }],
    [linesOf([dated, bundleOf([undated])]), '2026-09-01T10:00:00.000Z 2026-09-15'],
    [JSON.stringify(undated), '2026-09-15'],
  ];
  for (const [source, expected, reading] of cases) {
    const told = await readSourceText(source, reading);
    assert.equal(told.records.map(({ lastUpdated }) => lastUpdated).join(' '), expected);
    assert.equal(told.warnings[0], 'no-last-change-date A81001');
  }
});

describe('refused as a whole:', () => {
  const bundle = JSON.stringify(bundleOf([FIRST, SECOND]), null, 1);
  const byLines = entryLinesOf(`{"resource":${first}}`, `{"resource":${second}}`);
  const refused: readonly (readonly [
    name: string,
    source: string,
    message: RegExp,
    form?: Reading['form'],
  ])[] = [
    ['nothing', '', /holds no Organization .*it contains no resources/],
    ['a Bundle without entries', JSON.stringify(bundleOf([])), /it contains no resources/],
    [
      'other resources',
      linesOf([OUTCOME, OUTCOME]),
      /resources left out: 2; line 1: a resource of type/,
    ],
    ['lines of nothing', 'a\nb\n', /resources left out: 2; line 1: not JSON/, 'ndjson'],
    [
      'a Bundle that is cut off',
      bundle.slice(0, -300),
      /after 0 resources .*\(line \d+\).* cut off/,
    ],
    ['a Bundle with text behind it', `${bundle} x`, /after 0 resources .* more text after its end/],
    ['resources on several lines', `${bundle}\n${bundle}`, /more text after its end/],
    ['entry lines without the end of the Bundle', byLines.slice(0, -4), /ends inside a Bundle/],
    ['entry lines that are cut off', byLines.slice(0, -300), /ends inside a Bundle/],
    [
      'entry lines without a comma',
      byLines.replace('},\n', '}\n'),
      /a comma is missing \(line 3\)/,
    ],
    ['entry lines with a comma too many', byLines.replace('\n]', ',\n]'), /an entry is missing/],
    ['entry lines with text behind them', `${byLines}x`, /after 2 resources .* more text/],
    [
      'a document on several lines that is larger than 32 MiB',
      `{"resourceType":"Bundle",\n"id":"${'x'.repeat(33 * 1024 ** 2)}"}`,
      /one JSON document of more than 33554432 bytes\. Convert it to NDJSON, .*jq/,
    ],
    [
      'a Bundle on one line that is larger than 32 MiB',
      `{"resourceType":"Bundle","id":"${'x'.repeat(33 * 1024 ** 2)}"}`,
      /one JSON document of more than 33554432 bytes\. Convert it to NDJSON, /,
    ],
    ['a Bundle with a broken frame', bundle.replace('"Bundle",', '"Bundle"'), /not JSON/],
    ['a broken resource over lines', '{\n"a":tru\n}', /not JSON: a value was expected/],
    ['an array', '[]', /resources left out: 1; line 1: not a JSON object/],
    ['XML that is cut off', bundleXml.slice(0, -300), /after 1 resources .*cut off/, 'xml'],
    ['XML with a DOCTYPE', `<!DOCTYPE Bundle>${bundleXml}`, /DOCTYPE/, 'xml'],
    ['XML of another namespace', '<Bundle xmlns="urn:x"/>', /not in the namespace/, 'xml'],
    [
      'XML in another encoding',
      bundleXml.replace('UTF-8', 'ISO-8859-1'),
      /encoding is "ISO-8859-1"/,
      'xml',
    ],
    [
      'XML that is nested without end',
      `${bundleXml.slice(0, -9)}${'<a>'.repeat(99)}`,
      /deep/,
      'xml',
    ],
    [
      'a resource that is nested without end',
      `<Organization xmlns="http://hl7.org/fhir">${'<a>'.repeat(2000)}`,
      /nested too deeply/,
      'xml',
    ],
    [
      'a comment without end',
      bundleXml.replace('<entry>', () => `<!--${'x'.repeat(3_000_000)}--><entry>`),
      /longer than 1048576/,
      'xml',
    ],
    ['an entity', bundleXml.replace('THE DENSHAM', '&other;'), /after 0 resources .*entity/, 'xml'],
  ];
  for (const [name, source, message, form] of refused) {
    it(name, async () => {
      const reading = { chunkBytes: 60_000, ...(form !== undefined && { form }) };
      await assert.rejects(readSourceText(source, reading), (error: unknown) => {
        assert.ok(error instanceof SourceError, String(error));
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      });
    });
  }
});

it('a cut anywhere in a Bundle of many lines is refused, or leaves nothing out', async () => {
  const source = JSON.stringify(bundleOf([FIRST, SECOND]), null, 1);
  const whole = source.trimEnd().length;
  for (let length = 1; length < whole; length += 13) {
    await assert.rejects(readSourceText(source.slice(0, length)), SourceError);
  }
});

it('a damaged source is read or refused, and never a fault of the program', async () => {
  const pretty = JSON.stringify(bundleOf([FIRST, SECOND]), null, 1);
  const sources: readonly (readonly [text: string, form: FhirForm])[] = [
    [linesOf([FIRST, SECOND]), 'ndjson'],
    [linesOf([FIRST, SECOND]), 'json'],
    [pretty, 'json'],
    [bundleXml, 'xml'],
  ];
  const damage = fc.record({
    source: fc.constantFrom(...sources),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    remove: fc.integer({ min: 0, max: 30 }),
    insert: fc.oneof(
      fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '\n', '<', '>', '&', '"entry":['),
      fc.uint8Array({ maxLength: 4 }),
    ),
  });
  await fc.assert(
    fc.asyncProperty(damage, fc.integer({ min: 1, max: 2000 }), async (given, chunkBytes) => {
      const [text, form] = given.source;
      const at = Math.floor(given.at * text.length);
      const source = Buffer.concat([
        Buffer.from(text.slice(0, at)),
        Buffer.from(given.insert),
        Buffer.from(text.slice(at + given.remove)),
      ]);
      try {
        const told = await readSourceText(source, { form, chunkBytes });
        assert.ok(told.records.length > 0);
      } catch (error) {
        assert.ok(error instanceof SourceError, String(error));
      }
    }),
    { numRuns: repetitions(40, 300) },
  );
});
