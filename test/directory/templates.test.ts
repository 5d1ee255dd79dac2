/** Bodies from templates are, to the byte, what the codec writes for the same record. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markerOf } from '../../src/directory/record/shape.ts';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { encodeJson } from '../../src/fhir/format/json.ts';
import { encodeXml } from '../../src/fhir/format/xml.ts';
import { createTemplates, type Templates } from '../../src/interfaces/answer/templates.ts';
import {
  type RenderedEdition,
  XML_DECLARATION,
  XML_ROOT,
} from '../../src/interfaces/faces/rendered-edition.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { anyRecord } from './any-record.ts';
import { editionOf, renderedOf, SETTINGS } from './directory-server.ts';
import { organization, RECORDS, role } from './records.ts';

describe('templates', () => {
  for (const json of ['fhir', 'legacy'] as const) {
    it(`write the same as the codec, in JSON (${json}) and XML`, () => {
      fc.assert(
        fc.property(fc.array(anyRecord, { minLength: 1, maxLength: 6 }), (records) => {
          const distinct = records.map((one, index) => ({ ...one, code: `A${index}` }));
          const rendered = renderedOf(distinct, { ...SETTINGS, json });
          distinct.forEach((one, row) => {
            assert.deepEqual(rendered.edition.rows.recordAt(row), one);
            assert.equal(written(rendered, row, 'json'), encodeJson(rendered.jsonAt(row)));
            const xml = encodeXml(rendered.organizationAt(row), STU3.definitions);
            assert.equal(`${XML_DECLARATION}${XML_ROOT}${written(rendered, row, 'xml')}`, xml);
          });
        }),
        { numRuns: repetitions(40, 100) },
      );
    });
  }

  it('write the number of a role as a number, and share the template of all numbers', () => {
    const records = [7, 2_147_483_647].map((uniqueId, index) =>
      organization(`A${index}`, { roles: [role('76', { isPrimary: true, uniqueId })] }),
    );
    const { rows } = editionOf(records);
    const templates = createTemplates(rows, {
      encode: ({ code, roles }) => JSON.stringify([code, { id: roles[0]?.uniqueId }]),
      escape: (character) => character,
    });
    assert.equal(rows.shapeCount, 1);
    assert.deepEqual(
      [0, 1].map((row) => textOf(templates, row)),
      ['["A0",{"id":7}]', '["A1",{"id":2147483647}]'],
    );
  });

  it('write a computed value of a row where its marker is, with the escapes of the format', () => {
    const { rows } = editionOf([organization('A0'), organization('A1')]);
    const templates = createTemplates(
      rows,
      {
        encode: ({ code }) => JSON.stringify({ near: markerOf(-1), code, also: markerOf(-1) }),
        escape: (character) => JSON.stringify(character).slice(1, -1),
      },
      (row) => [new TextEncoder().encode(['"é"', 'plain'][row])],
    );
    assert.equal(rows.shapeCount, 1);
    assert.deepEqual(
      [0, 1].map((row) => JSON.parse(textOf(templates, row))),
      [
        { near: '"é"', code: 'A0', also: '"é"' },
        { near: 'plain', code: 'A1', also: 'plain' },
      ],
    );
  });

  it('tell the number of a role from a text of the same digits', () => {
    const { rows } = editionOf([
      organization('A0', { roles: [role('76', { isPrimary: true, uniqueId: 7 })] }),
    ]);
    const templates = createTemplates(rows, {
      encode: ({ roles }) => JSON.stringify([roles[0]?.uniqueId, '-2000000004', -2_000_000_004]),
      escape: (character) => character,
    });
    assert.equal(textOf(templates, 0), '[7,"-2000000004",-2000000004]');
  });

  it('share the template of a shape between records', () => {
    const edition = editionOf(RECORDS.map((one) => ({ ...RECORDS[0]!, code: one.code })));
    assert.equal(edition.rows.shapeCount, 1);
  });
});

function written(rendered: RenderedEdition, row: number, format: 'json' | 'xml'): string {
  return textOf(rendered.templates[format], row);
}

function textOf(templates: Templates, row: number): string {
  const target = new Uint8Array(templates.bytesMax(row));
  const end = templates.write(row, target, 0);
  return new TextDecoder().decode(target.subarray(0, end));
}
