/** Bundles written from templates are what the codec writes of the same search. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { encodeJson } from '../../src/fhir/format/json.ts';
import { encodeXml } from '../../src/fhir/format/xml.ts';
import { ByteWriter } from '../../src/interfaces/answer/byte-writer.ts';
import { offsetOf } from '../../src/interfaces/faces/search.ts';
import { createSearchsets, identityOf } from '../../src/interfaces/faces/searchset.ts';
import { STU3_FACE } from '../../src/interfaces/stu3/face.ts';
import { createStu3SearchParser } from '../../src/interfaces/stu3/parameters.ts';
import { fc } from '../property.ts';
import { renderedOf, SETTINGS } from './directory-server.ts';
import { RECORDS } from './records.ts';

const query = fc
  .record({
    name: fc.constantFrom(
      '',
      'name=leeds',
      'name:contains=%20%26%20',
      'active=true',
      'name=nowhere',
    ),
    paging: fc.constantFrom(
      '',
      '_count=1',
      '_count=2&_page=2',
      '_page=9',
      '_summary=count',
      '_count=0',
    ),
    edition: fc.constantFrom('', '_edition=1'),
    ignored: fc.constantFrom('', 'odd=%22%3C%27'),
  })
  .map((parts) => Object.values(parts).filter(Boolean).join('&'));

const UUID_5 = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe('a Bundle from templates', () => {
  for (const json of ['fhir', 'legacy'] as const) {
    for (const format of ['json', 'xml'] as const) {
      it(`equals the output of the codec, in ${format} with directory.json = ${json}`, () => {
        const settings = { ...SETTINGS, json };
        const rendered = renderedOf(RECORDS, settings);
        const form = { format, contentType: '', isPretty: false };
        const writer = new ByteWriter();
        const parse = createStu3SearchParser({
          settings,
          roleSystems: new Set<string>(),
          isCommaLiteral: json === 'legacy',
          postcodesOf: () => undefined,
          unknownRole: () => undefined,
        });
        fc.assert(
          fc.property(
            query,
            fc.constantFrom('http://a.test/STU3', 'http://a.test/x%20y/STU3'),
            (text, base) => {
              const request = { query: text, isLenient: true, form, formIssue: undefined };
              const search = parse(request);
              const page = rendered.edition.index.search(
                search.query,
                offsetOf(search),
                search.count,
              );
              const identity = identityOf(search, rendered, form);
              assert.match(identity.id, UUID_5);
              const typeUrl = `${base}/Organization`;
              const result = { identity, search, page, included: [], rendered };
              const served = { face: STU3_FACE, settings };
              const searchsets = createSearchsets(served, typeUrl, writer);
              const whole = searchsets.resource(result, format);
              const written = Buffer.from(searchsets.write(result, format)).toString();
              const encoded =
                format === 'json' ? encodeJson(whole) : encodeXml(whole, STU3.definitions);
              assert.equal(written, encoded);
            },
          ),
        );
      });
    }
  }
});
