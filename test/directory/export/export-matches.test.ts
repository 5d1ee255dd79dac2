/** What a search finds, in every format, to the byte and back again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STU3 } from '../../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import {
  exportMatches,
  findMatches,
  type MakeExportFormat,
  parseExportQuery,
} from '../../../src/interfaces/faces/export-matches.ts';
import { csvFormat } from '../../../src/interfaces/files/csv.ts';
import {
  bundleFormat,
  EXPORT_FORMATS,
  ndjsonFormat,
} from '../../../src/interfaces/files/export-formats.ts';
import { STU3_FACE } from '../../../src/interfaces/stu3/face.ts';
import { readSourceText } from '../../sources/fhir/fhir-fixture.ts';
import { renderedOf, SETTINGS } from '../directory-server.ts';
import { organization, RECORDS } from '../records.ts';

const MANY = Array.from({ length: 1_001 }, (_, at) =>
  organization(`M${String(at).padStart(5, '0')}`, { name: `PRACTICE ${at}` }),
);

function exported(
  makeFormat: MakeExportFormat,
  search = '',
  records = RECORDS,
  baseUrl?: string,
): string {
  const query = parseExportQuery(search, STU3_FACE, SETTINGS, baseUrl);
  const rendered = renderedOf(records);
  const matches = findMatches(rendered.edition, query, false);
  return Buffer.concat([
    ...exportMatches(rendered, matches, makeFormat, baseUrl, '2026-11-24'),
  ]).toString();
}

describe('records are the same again out of', () => {
  for (const [name, { make }] of EXPORT_FORMATS) {
    if (typeof make === 'string') continue;
    if (!['ndjson', 'bundle'].includes(name)) continue;
    it(name, async () => {
      for (const records of [RECORDS, MANY, RECORDS.slice(0, 1)]) {
        const told = await readSourceText(exported(make, '', records));
        assert.deepEqual(told.records, records);
        assert.deepEqual([...told.leftOut, ...told.warnings], []);
      }
    });
  }
});

it('NDJSON has a valid Organization on each line', () => {
  const lines = exported(ndjsonFormat).split('\n');
  assert.equal(lines.pop(), '');
  assert.equal(lines.length, RECORDS.length);
  for (const line of lines) {
    assert.deepEqual(decodeJson(Buffer.from(line), STU3.definitions).findings, []);
  }
  assert.equal(exported(ndjsonFormat, 'name=nowhere'), '');
});

it('a Bundle is a valid collection, also an empty one', () => {
  const url = 'https://example.org/fhir/STU3';
  const cases: readonly (readonly [
    search: string,
    serverUrl: string | undefined,
    count: number,
  ])[] = [
    ['', undefined, RECORDS.length],
    ['', url, RECORDS.length],
    ['name=leeds', url, 2],
    ['name=nowhere', url, 0],
  ];
  for (const [search, serverUrl, count] of cases) {
    const text = exported(bundleFormat, search, RECORDS, serverUrl);
    assert.deepEqual(decodeJson(Buffer.from(text), STU3.definitions).findings, []);
    const { entry = [], ...head } = JSON.parse(text);
    assert.deepEqual(head, {
      resourceType: 'Bundle',
      meta: { lastUpdated: '2026-09-01T10:00:00.000Z' },
      type: 'collection',
    });
    assert.equal(entry.length, count);
    for (const { fullUrl, resource } of entry) {
      const expected = serverUrl && `${url}/Organization/${resource.id}`;
      assert.equal(fullUrl, expected);
    }
  }
});

it('CSV has a header and a line for each organisation', () => {
  const header =
    'code,name,status,primaryRole,primaryRoleDisplay,roles,addressLines,city,district,postalCode,' +
    'country,uprn,phone,lastUpdated,recordClass,operationalStart,operationalEnd,legalStart,legalEnd,' +
    'latitude,longitude,easting,northing';
  const lines = exported(csvFormat).split('\r\n');
  assert.equal(lines.pop(), '');
  assert.deepEqual(lines.slice(0, 3), [
    header,
    'A81001,THE DENSHAM SURGERY,Active,177,PRESCRIBING COST CENTRE,177 76,' +
      '"THE HEALTH CENTRE, LAWSON STREET",PETERBOROUGH,CAMBRIDGESHIRE,PE1 1AA,ENGLAND,,' +
      '01642 000000,2020-01-15,1,2001-04-01,,,,,,,',
    'A81002,"Café ""Quotes"" & <Angle> Clinic",Inactive,157,NON-NHS ORGANISATION,157 29,,' +
      'ST. IVES,,LS6 4JN,,100012345678,,2017-04-01,1,2001-04-01,2010-03-31,2000-01-01,2010-03-31,,,,',
  ]);
  assert.equal(lines.length, RECORDS.length + 1);
  assert.equal(exported(csvFormat, 'name=nowhere'), `${header}\r\n`);
});

it('an export finds what a search would', () => {
  const searches: readonly (readonly [search: string, codes: string])[] = [
    ['name=leeds', 'RR8 RR801'],
    ['name:contains=leeds&active=true', 'RR8 RR801'],
    ['address-city=LEEDS&address-postalcode=LS11', 'RR801'],
    ['ods-org-role=RO197&ods-org-primaryRole=true', 'RR8 RTG'],
    ['ods-org-role=https://fhir.nhs.uk/STU3/ODSAPI-OrganizationRole-1|57', 'RTG'],
    ['identifier=rtg,rr8', 'RR8 RTG'],
  ];
  for (const [search, codes] of searches) {
    const found = exported(ndjsonFormat, search).split('\n').slice(0, -1);
    assert.equal(found.map((line) => JSON.parse(line).id).join(' '), codes, search);
  }
});

it('parameters that shape an answer, and mistakes, are refused', () => {
  const refused: readonly (readonly [search: string, diagnostics: RegExp])[] = [
    ['_count=5', /_count is not supported/],
    ['name=leeds&_format=xml', /_format is not supported/],
    ['_page=2', /_page is not supported/],
    ['_summary=count', /_summary is not supported/],
    ['_edition=3', /--edition/],
    ['colour=red', /Unknown argument found - colour/],
    ['name=x', /minimum of 3/],
    ['active=perhaps', /active/],
    ['name=%FF', /percent-encoded/],
  ];
  for (const [search, diagnostics] of refused) {
    assert.throws(
      () => parseExportQuery(search, STU3_FACE, SETTINGS, undefined),
      (error: unknown) => {
        assert.ok(error instanceof FhirError);
        assert.match(error.issues[0].diagnostics, diagnostics);
        return true;
      },
    );
  }
});
