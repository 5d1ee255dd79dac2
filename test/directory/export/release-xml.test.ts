/** An export in the form of the release has the elements that were imported. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { generateRelease } from '../../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../../scripts/release/organisations.ts';
import { buildEdition } from '../../../src/directory/edition/build-edition.ts';
import { openEdition } from '../../../src/directory/edition/edition.ts';
import { createCollector } from '../../../src/directory/import/collector.ts';
import {
  exportMatches,
  findMatches,
  parseExportQuery,
} from '../../../src/interfaces/faces/export-matches.ts';
import { renderEdition } from '../../../src/interfaces/faces/rendered-edition.ts';
import { releaseXmlFormat } from '../../../src/interfaces/files/release-xml.ts';
import { STU3_FACE } from '../../../src/interfaces/stu3/face.ts';
import { readRelease } from '../../../src/sources/release-file/read-release.ts';
import { fc } from '../../property.ts';
import {
  codeSystemsXml,
  organisation,
  releaseXml,
} from '../../sources/release-file/release-fixture.ts';
import { SETTINGS } from '../directory-server.ts';
import { asImported, organisationsIn, parseXml, type XmlNode } from './canonical-xml.ts';

const SAMPLE = readFileSync(new URL('sample-organisation.xml', import.meta.url), 'utf8');

/** Imports a release, and exports it. `warnings` has the codes that the import warned about. */
async function roundTrip(xml: string, search = '') {
  const collector = createCollector(() => {});
  const warned = new Set<string>();
  const receiver = {
    ...collector,
    warning: (kind: Parameters<typeof collector.warning>[0], code: string, detail?: string) => {
      // A period without a start is kept as it is.
      if (!kind.startsWith('unknown-role') && kind !== 'period-without-start') warned.add(code);
      collector.warning(kind, code, detail);
    },
  };
  const bytes = Buffer.from(xml);
  await readRelease(
    { name: 'r.xml', chunks: [bytes], bytesBefore: 0, bytesTotal: () => undefined },
    receiver,
  );
  const arrays = buildEdition({ ...collector.finish(), hasLinks: true });
  const edition = openEdition({ number: 1, publishedAt: '2026-09-01T10:00:00.000Z' }, arrays);
  const rendered = renderEdition(STU3_FACE, edition, SETTINGS);
  const query = parseExportQuery(search, STU3_FACE, SETTINGS, undefined);
  const matches = findMatches(edition, query, true);
  const pieces = [...exportMatches(rendered, matches, releaseXmlFormat, undefined, '2026-11-24')];
  return { warned, text: Buffer.concat(pieces).toString() };
}

describe('an export in the form of the release', () => {
  it('has the elements of an organisation as its source wrote them', async () => {
    const { text } = await roundTrip(releaseXml([SAMPLE]));
    assert.deepEqual([...organisationsIn(text).values()], [parseXml(SAMPLE)]);
  });

  it('has every organisation of a release, with the differences that an import makes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), async (seed) => {
        const given = [...generateRelease({ ...releaseDefaults, records: 250, seed })].join('');
        const { warned, text } = await roundTrip(given);
        const before = organisationsIn(given);
        const after = organisationsIn(text);
        const compared = [...before].filter(([code]) => !warned.has(code) && after.has(code));
        for (const [code, element] of compared) {
          assert.deepEqual(after.get(code), asImported(element), code);
        }
        assert.ok(compared.length > 200);
        const again = await roundTrip(text);
        assert.deepEqual([...again.warned], []);
        assert.equal(again.text, text);
      }),
      { numRuns: 6 },
    );
  });

  it('has the manifest and the code systems of its source', async () => {
    const { text } = await roundTrip(releaseXml([SAMPLE]));
    const valuesOf = (xml: string) =>
      xml.match(/<(?:Manifest>.*<\/Manifest|CodeSystems>[\s\S]*<\/CodeSystems)>/g)?.map(sorted);
    assert.deepEqual(
      valuesOf(text),
      valuesOf(releaseXml([SAMPLE], { codeSystems: codeSystemsXml })),
    );
  });

  it('of a search has only the matches, and says that it is partial', async () => {
    const two = [organisation('', { code: 'A1' }), organisation('', { code: 'A2' })];
    const { text } = await roundTrip(releaseXml(two), '_id=A2');
    assert.deepEqual([...organisationsIn(text).keys()], ['A2']);
    assert.match(text, /<PublicationType value="Partial"\/>/);
    assert.match(text, /<RecordCount value="1"\/>/);
  });
});

/** The elements in an order that does not depend on the file. */
function sorted(xml: string): XmlNode {
  const inOrder = (node: XmlNode): XmlNode => ({
    ...node,
    children: node.children
      .map(inOrder)
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  });
  return inOrder(parseXml(xml));
}
