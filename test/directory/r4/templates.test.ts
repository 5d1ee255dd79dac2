/** Bodies of R4 from templates: what the codec writes for the same record, and valid in R4. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Edition, openEdition } from '../../../src/directory/edition/edition.ts';
import { r4 } from '../../../src/fhir/definitions/published.ts';
import { encodeJson } from '../../../src/fhir/format/json.ts';
import { decodeXml, encodeXml } from '../../../src/fhir/format/xml.ts';
import { ByteWriter } from '../../../src/interfaces/answer/byte-writer.ts';
import {
  type RenderedEdition,
  renderEdition,
  XML_DECLARATION,
  XML_ROOT,
} from '../../../src/interfaces/faces/rendered-edition.ts';
import { R4_FACE } from '../../../src/interfaces/r4/face.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { r4SchemaFindings } from '../../schemas/r4-schema.ts';
import { anyRecord } from '../any-record.ts';
import { SETTINGS } from '../directory-server.ts';
import { editionArrays } from '../edition-arrays.ts';

const IDENTITY = { number: 12, publishedAt: '2026-09-01T10:00:00.000Z' };
const EARLIER = { number: 7, publishedAt: '2026-08-01T09:30:00.123Z' };

const entry = fc.record({ record: anyRecord, isReferenceOnly: fc.boolean() });

it('each record is the same from its template and from the codec, and valid in R4', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), (entries) => {
      const records = entries.map(({ record, isReferenceOnly }, index) => ({
        ...record,
        code: `A${index}`,
        isReferenceOnly,
      }));
      const opened = openEdition(IDENTITY, editionArrays(records));
      // Every second record changed last in an earlier edition.
      const edition: Edition = {
        ...opened,
        changedIn: (row) => (row % 2 === 0 ? IDENTITY : EARLIER),
      };
      const rendered = renderEdition(R4_FACE, edition, SETTINGS);
      for (const { code, isReferenceOnly } of records) {
        const row = rendered.rowOf(code);
        assert.ok(row !== undefined);
        checkRow(rendered, row, isReferenceOnly);
      }
    }),
    { numRuns: repetitions(40, 100) },
  );
});

function checkRow(rendered: RenderedEdition, row: number, isReferenceOnly: boolean): void {
  const resource = rendered.organizationAt(row);
  const json = encodeJson(resource);
  const xml = encodeXml(resource, r4);
  assert.equal(written(rendered, row, 'json'), json);
  assert.equal(`${XML_DECLARATION}${XML_ROOT}${written(rendered, row, 'xml')}`, xml);
  const decoded = decodeXml(Buffer.from(xml), r4);
  assert.deepEqual(decoded.findings, []);
  assert.deepEqual(JSON.parse(JSON.stringify(decoded.resource)), JSON.parse(json));
  assert.deepEqual(r4SchemaFindings(JSON.parse(json)), []);
  const { meta, type } = JSON.parse(json);
  const { publishedAt } = row % 2 === 0 ? IDENTITY : EARLIER;
  assert.equal(meta.versionId, String(Date.parse(publishedAt)));
  assert.equal(meta.lastUpdated, publishedAt);
  assert.equal(type[0].coding[0].code, isReferenceOnly ? 'RefOnly' : 'Full');
}

function written(rendered: RenderedEdition, row: number, format: 'json' | 'xml'): string {
  const writer = new ByteWriter();
  writer.start();
  writer.template(rendered.templates[format], row);
  return writer.finish().toString();
}
