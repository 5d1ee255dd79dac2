/** The frame of a release file: its manifest, its code systems, its order, and the files refused. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SourceError } from '../../../src/directory/record/source.ts';
import { readRelease } from '../../../src/sources/release-file/read-release.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import {
  codeSystemsXml,
  manifestXml,
  organisation,
  primaryRole,
  readText,
  recordingReceiver,
  releaseXml,
} from './release-fixture.ts';

const two = [
  organisation('<Name>CAFÉ ÅÄÖ 𝄞</Name>', { code: 'A1' }),
  organisation('<Name>TWO</Name>', { code: 'A2' }),
];

describe('readRelease', () => {
  it('tells the manifest, the code systems and the records, in that order', async () => {
    const told = await readText(releaseXml(two));
    assert.deepEqual(told.calls, ['manifest', 'codeSystems', 'record', 'progress']);
    assert.deepEqual(told.manifests, [
      {
        publicationDate: '2026-08-28',
        recordCount: 2,
        publicationType: 'Full',
        sequenceNumber: '7',
        hasRelations: true,
        values: {
          PublicationSource: 'test',
          FileCreationDateTime: '2026-08-28T01:02:03',
          ContentDescription: 'test',
        },
        primaryRoles: ['197'],
      },
    ]);
    assert.deepEqual(told.codeSystems, [
      {
        roles: [
          { code: '177', display: 'PRESCRIBING COST CENTRE' },
          { code: '76', display: 'GP PRACTICE' },
          { code: '197', display: 'NHS TRUST' },
        ],
        relationships: [{ code: '4', display: 'IS COMMISSIONED BY' }],
        recordClasses: [
          { code: '1', display: 'HSCOrg' },
          { code: '2', display: 'HSCSite' },
        ],
        oids: { roles: '2.999.1', relationships: '2.999.2', recordClasses: '2.999.3' },
      },
    ]);
    assert.deepEqual(
      told.records.map((record) => record.name),
      ['CAFÉ ÅÄÖ 𝄞', 'TWO'],
    );
  });

  it('sums up what it read', async () => {
    const xml = releaseXml([...two, organisation('', { roles: '' })]);
    const { summary, manifests } = await readText(xml);
    assert.deepEqual(summary, {
      manifest: manifests[0],
      elementsRead: 3,
      recordsRead: 2,
      recordsLeftOut: 1,
      bytesRead: Buffer.byteLength(xml),
    });
  });

  it('counts progress in bytes, from where the documents before it ended', async () => {
    const { told, receiver } = recordingReceiver();
    const chunks = [Buffer.from(releaseXml(two))];
    await readRelease({ name: 'x', chunks, bytesBefore: 100, bytesTotal: () => 5000 }, receiver);
    assert.deepEqual(told.progress, [[100 + Buffer.byteLength(releaseXml(two)), 5000]]);
  });

  it('passes on a code that stands in the file twice twice', async () => {
    const told = await readText(releaseXml([two[0] ?? '', two[0] ?? '']));
    assert.deepEqual(
      told.records.map((record) => record.code),
      ['A1', 'A1'],
    );
  });

  it('accepts a byte order mark, and a root element under another prefix or none', async () => {
    const { records } = await readText(releaseXml(two));
    const other = releaseXml(two, { prefix: 'x:' });
    const none = releaseXml(two, { prefix: '' });
    assert.deepEqual((await readText(`\uFEFF${releaseXml(two)}`)).records, records);
    assert.deepEqual((await readText(other)).records, records);
    assert.deepEqual((await readText(none)).records, records);
  });

  it('checks roles at the end when the code systems come last', async () => {
    const roles = primaryRole.replace('RO177', 'RO998');
    const organisations = [
      organisation('', { roles }),
      organisation('', { code: 'A2', roles }),
      ...two,
    ];
    const xml = releaseXml(organisations, { codeSystems: '' }).replace(
      '</Organisations>',
      `</Organisations>${codeSystemsXml}`,
    );
    const told = await readText(xml);
    assert.deepEqual(told.calls, ['manifest', 'record', 'codeSystems', 'warning', 'progress']);
    assert.deepEqual(told.warnings, ['unknown-role A1: RO998, held 2 times']);
  });

  it('warns of codes that the code systems have without a display', async () => {
    const codeSystems = codeSystemsXml
      .replace(' displayName="PRESCRIBING COST CENTRE"', '')
      .replace(' displayName="HSCOrg"', ' displayName=" "');
    const told = await readText(releaseXml(two.slice(0, 1), { codeSystems }));
    assert.deepEqual(told.warnings, ['unknown-role A1: RO177', 'unknown-record-class A1: RC1']);
  });

  it('tells empty code systems when the file has none', async () => {
    const told = await readText(releaseXml(two, { codeSystems: '' }));
    assert.deepEqual(told.codeSystems, [{ roles: [], relationships: [], recordClasses: [] }]);
    assert.deepEqual(told.warnings, [
      'unknown-role A1: RO177, held 2 times',
      'unknown-record-class A1: RC1, held 2 times',
    ]);
  });

  it('passes over what it does not know outside of organisations', async () => {
    const codeSystems = `<Extra><Organisation/></Extra>${codeSystemsXml}`;
    const told = await readText(releaseXml(two, { codeSystems }));
    assert.equal(told.records.length, 2);
    assert.deepEqual(told.warnings, []);
  });

  it('reads a text of 4,096 characters', async () => {
    const told = await readText(releaseXml([organisation(`<Name>${'n'.repeat(4096)}</Name>\n  `)]));
    assert.equal(told.records[0]?.name?.length, 4096);
  });

  it('lets a fault of the receiver through as it is', async () => {
    const fault = new RangeError('the receiver is full');
    const receiver = {
      ...recordingReceiver().receiver,
      record: () => {
        throw fault;
      },
    };
    const chunks = [Buffer.from(releaseXml(two))];
    const document = { name: 'x', chunks, bytesBefore: 0, bytesTotal: () => undefined };
    await assert.rejects(readRelease(document, receiver), (error) => error === fault);
  });
});

const again = 'fetch the release again (TRUD item 341).';
const asItIs = 'Fetch the release again (TRUD item 341), and give the file unchanged.';
const deep = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);

const refused: readonly (readonly [
  name: string,
  xml: string | Uint8Array,
  message: string | RegExp,
])[] = [
  ['an empty file', '', `release.xml is empty: ${again}`],
  ['a file of white space', ' \n', `release.xml is empty: ${again}`],
  [
    'a file that is not XML',
    '\u001b[31mcode,name\nA1,X\n',
    'release.xml is in no format that can be imported: it starts with binary data. Give a release as a zip or XML, or STU3 Organizations as NDJSON or as a Bundle in JSON or XML. XML, JSON and NDJSON may be gzipped.',
  ],
  [
    'another kind of XML',
    '<svg/>',
    'release.xml is not a release file: its root element is "svg" instead of HSCOrgRefData:OrgRefData. Give the file as TRUD item 341 has it.',
  ],
  [
    'another namespace',
    releaseXml(two, { namespace: 'http://refdata.hscic.gov.uk/org/v3-0-0' }),
    'release.xml is in the namespace "http://refdata.hscic.gov.uk/org/v3-0-0", and this program reads http://refdata.hscic.gov.uk/org/v2-0-0: fetch the release in that version.',
  ],
  [
    'another version',
    releaseXml(two, { version: '3-0-0' }),
    'release.xml is in version "3-0-0" of the format, and this program reads 2-0-0: fetch the release in that version.',
  ],
  ...['Partial', 'Delta', 'APISync', 'Ref', 'full', 'Fully', ''].map(
    (publicationType): readonly [string, string, string] => [
      `a file of the PublicationType "${publicationType}"`,
      releaseXml(two, { publicationType }),
      `release.xml has the PublicationType "${publicationType}", which this program does not read. Give the full file of a release ("Full", TRUD item 341), or a file of changes ("Partial" or "APISync").`,
    ],
  ),
  [
    'an impossible publication date',
    releaseXml(two, { publicationDate: '2026-02-30' }),
    `release.xml has no valid PublicationDate ("2026-02-30"): ${again}`,
  ],
  [
    'a record count that is not a number',
    releaseXml(two).replace('RecordCount value="2"', 'RecordCount value="-2"'),
    `release.xml has no valid RecordCount ("-2"): ${again}`,
  ],
  [
    'no manifest',
    releaseXml(two, { manifest: '' }),
    `release.xml has no manifest before its organisations: ${again}`,
  ],
  [
    'neither manifest nor organisations',
    releaseXml([], { manifest: '' }),
    `release.xml has no manifest before its organisations: ${again}`,
  ],
  [
    'two manifests',
    releaseXml(two, { manifest: manifestXml(two).repeat(2) }),
    `release.xml has two manifests: ${again}`,
  ],
  [
    'two lists of code systems',
    releaseXml(two, { codeSystems: codeSystemsXml.repeat(2) }),
    `release.xml has two lists of code systems: ${again}`,
  ],
  [
    'too few records',
    releaseXml(two, { recordCount: 3 }),
    `release.xml says it has 3 records (RecordCount) but has 2: ${again}`,
  ],
  [
    'too many records',
    releaseXml(two, { recordCount: 1 }),
    `release.xml says it has 1 records (RecordCount) but has 2: ${again}`,
  ],
  [
    'a tag that does not match',
    releaseXml([two[0] ?? '', '<Organisation></Name>']),
    `release.xml cannot be read beyond line 3 (byte 1393), in the record after A1, after 1 records: unexpected close tag. ${asItIs}`,
  ],
  [
    'text after the end',
    `${releaseXml(two)}more`,
    /, after 2 records: text data outside of root node\. Fetch/,
  ],
  [
    'its own entity',
    releaseXml([organisation('<Name>&bomb;</Name>')]),
    /\), in the record A1, after 0 records: undefined entity\. Fetch/,
  ],
  [
    'a character reference that is not valid',
    releaseXml([...two, organisation('<Name>É\n&#0;</Name>', { code: 'A3' })]),
    /^release\.xml cannot be read beyond line 5 \(byte \d+\), in the record A3, after 2 records: malformed character entity\. Fetch/,
  ],
  [
    'a fault before the code of a record',
    releaseXml([...two, '<Organisation><Name a=b>']),
    /, in the record after A2, after 2 records: unquoted attribute value\. Fetch/,
  ],
  [
    'a fault in the first record, before its code',
    releaseXml(['<Organisation><Name>&#xFFFF;</Name>']),
    /, in the first record, after 0 records: malformed character entity\. Fetch/,
  ],
  [
    'a DOCTYPE',
    releaseXml(two, { declaration: '<!DOCTYPE x [<!ENTITY bomb "boom">]>' }),
    `release.xml cannot be read beyond line 1 (byte 0), after 0 records: it has a DOCTYPE, which no release file has. ${asItIs}`,
  ],
  [
    'another encoding',
    releaseXml(two, { declaration: '<?xml version="1.0" encoding="ISO-8859-1"?>' }),
    `release.xml cannot be read beyond line 2 (byte 131), after 0 records: the XML declaration says "ISO-8859-1", but a release is in UTF-8. ${asItIs}`,
  ],
  [
    'bytes that are not UTF-8',
    Buffer.from(releaseXml(two), 'latin1'),
    `release.xml cannot be read beyond line 2 (byte ${releaseXml(two).indexOf('É')}), in the record A1, after 0 records: 0xc9 is not UTF-8 (is it in another encoding, such as Latin-1?). ${asItIs}`,
  ],
  [
    'a text of 4,097 characters',
    releaseXml([organisation(`<Name>${'n'.repeat(4097)}</Name>`)]),
    /: a text of a record is longer than 4096 characters\. /,
  ],
  [
    'an attribute of 4,097 characters',
    releaseXml([
      organisation(`<Contacts><Contact type="tel" value="${'1'.repeat(4097)}"/></Contacts>`),
    ]),
    /: a text of a record is longer than 4096 characters\. /,
  ],
  [
    'an endless comment',
    releaseXml([`<!--${'c'.repeat(400_000)}-->`]),
    /a text, comment or tag is longer than 65536 characters/,
  ],
  [
    'an endless attribute',
    releaseXml([`<Organisation a="${'c'.repeat(400_000)}">`]),
    /a text, comment or tag is longer than 65536 characters/,
  ],
  [
    'elements 65 deep in an organisation',
    releaseXml([organisation(deep(62))]),
    /: its elements are nested more than 64 deep\. /,
  ],
  [
    'elements far too deep elsewhere',
    releaseXml(two, { codeSystems: deep(10_000) }),
    /: its elements are nested more than 64 deep\. /,
  ],
  [
    'an organisation without end',
    releaseXml([organisation('<Name/>'.repeat(100_001))]),
    /: an Organisation has more than 100000 elements\. /,
  ],
  [
    'relationships without end',
    releaseXml([organisation(`<Rels>${'<Rel/>'.repeat(100_001)}</Rels>`)]),
    /: an Organisation has more than 100000 elements\. /,
  ],
];

describe('readRelease refuses', () => {
  for (const [name, xml, message] of refused) {
    it(`${name}, in one line that says what to do`, async () => {
      await assert.rejects(readText(xml), (error) => {
        assert.ok(error instanceof SourceError, String(error));
        if (typeof message === 'string') assert.equal(error.message, message);
        else assert.match(error.message, message);
        assert.doesNotMatch(error.message, /[\p{Cc}]/u);
        return true;
      });
    });
  }

  it('nothing that is only 64 deep', async () => {
    assert.equal((await readText(releaseXml([organisation(deep(60))]))).records.length, 1);
  });
});

describe('readRelease, wherever its input is cut,', () => {
  const xml = releaseXml([...two, organisation('<!-- x --><Rels><Rel/></Rels>', { code: 'A3' })]);

  it('reads the same from chunks of any size', async () => {
    const whole = await readText(xml);
    for (let chunkBytes = 1; chunkBytes < 40; chunkBytes++) {
      const told = await readText(xml, chunkBytes);
      assert.deepEqual(told.records, whole.records);
      assert.deepEqual(told.summary, whole.summary);
    }
  });

  it('never succeeds with less than all of it', async () => {
    const bytes = Buffer.from(xml);
    for (let length = 0; length < bytes.length; length++) {
      await assert.rejects(readText(bytes.subarray(0, length), 1000), SourceError, `${length}`);
    }
  });

  it('reports how many records it had read when it was cut off', async () => {
    const cut = xml.indexOf('A3');
    await assert.rejects(
      readText(xml.slice(0, cut)),
      /, in the record after A2, after 2 records: it is cut off there\. Fetch/,
    );
  });

  it('names the byte that is at fault, wherever it is', async () => {
    const bytes = Buffer.from(`\uFEFF${xml}`);
    for (let position = 3; position < bytes.length; position += 7) {
      const damaged = Buffer.from(bytes);
      damaged[position] = 0xff;
      for (const chunkBytes of [5, 100_000]) {
        await assert.rejects(readText(damaged, chunkBytes), (error) => {
          const [, byte] = /\(byte (\d+)\)/.exec(String(error)) ?? [];
          // What comes before it in its character is at fault too.
          const isNear = Number(byte) <= position && Number(byte) > position - 4;
          return isNear || position < 7;
        });
      }
    }
  });

  it('gives a SourceError or the same number of records for any damaged byte', async () => {
    const bytes = Buffer.from(xml);
    const property = fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.nat(255),
      async (position, value) => {
        const damaged = Buffer.from(bytes);
        damaged[position] = value;
        try {
          assert.equal((await readText(damaged)).summary.elementsRead, 3);
        } catch (error) {
          assert.ok(error instanceof SourceError, String(error));
        }
      },
    );
    await fc.assert(property, { numRuns: repetitions(100, 300) });
  });
});
