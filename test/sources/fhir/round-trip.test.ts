/** What is written as an Organization is read as the record that it was, in every form. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  AddressRecord,
  OrganizationRecord,
  PeriodRecord,
  RoleRecord,
  TelecomRecord,
} from '../../../src/directory/record/record.ts';
import { STU3 } from '../../../src/fhir/definitions/fhir-version.ts';
import { encodeXml } from '../../../src/fhir/format/xml.ts';
import { LEGACY_JSON } from '../../../src/interfaces/stu3/legacy-json.ts';
import { cleanText } from '../../../src/sources/text/source-text.ts';
import { repetitions } from '../../campaign.ts';
import { SETTINGS } from '../../directory/directory-server.ts';
import { RECORDS } from '../../directory/records.ts';
import { fc } from '../../property.ts';
import { bundleOf, linesOf, type Reading, readSourceText, resourceOf } from './fhir-fixture.ts';

/** Objects as they are written in code. */
const PLAIN = { noNullPrototype: true };

/** Text as records have it: clean, and of characters that XML can carry. */
const text = fc
  .oneof(
    fc.constantFrom('A & B', '"quoted"', 'ends with \\', '{[}],:', 'Café', '𝒳 <Y>', '=1+1', "'"),
    fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  )
  .map((raw) => cleanText(raw.replaceAll(/[\p{C}\uFFFE\uFFFF]/gu, '')) ?? 'X');
const code = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/);
const date = fc.constantFrom('1999-12-31', '2001-04-01', '2001-04', '2001', '2020-02-29');

const periods = fc
  .array(
    fc.record(
      {
        kind: fc.constantFrom('Operational', 'Legal'),
        start: date,
        end: fc.constant('2024-02-29'),
      },
      { ...PLAIN, requiredKeys: ['kind', 'start'] },
    ) satisfies fc.Arbitrary<PeriodRecord>,
    { maxLength: 3 },
  )
  .map((list) => [
    ...list.filter(({ kind }) => kind === 'Operational'),
    ...list.filter(({ kind }) => kind === 'Legal'),
  ]);
const roles: fc.Arbitrary<RoleRecord[]> = fc
  .array(
    fc.record(
      { code: fc.constantFrom('76', '177', '4711'), isActive: fc.boolean(), periods },
      PLAIN,
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) => list.map((role, at) => ({ ...role, isPrimary: at === 0 })));
const telecoms: fc.Arbitrary<TelecomRecord[]> = fc.array(
  fc.record(
    { system: fc.constantFrom('phone', 'fax', 'email', 'url', 'other'), value: text },
    PLAIN,
  ),
  { maxLength: 3 },
);
const address: fc.Arbitrary<AddressRecord> = fc
  .record(
    {
      lines: fc.array(text, { maxLength: 4 }),
      city: text,
      district: text,
      postalCode: text,
      country: text,
      uprn: text,
    },
    { ...PLAIN, requiredKeys: ['lines'] },
  )
  .filter((given) => given.lines.length > 0 || Object.keys(given).length > 1);
const record: fc.Arbitrary<OrganizationRecord> = fc.record(
  {
    code,
    name: text,
    isActive: fc.boolean(),
    lastUpdated: fc.constantFrom(
      '2020-01-15',
      '2020-01-15T10:30:00.500+01:00',
      '2020-01-15T00:00:00+01:00',
      '2020-01-15T00:00:01Z',
    ),
    recordClass: fc.constantFrom('1', '2', '9'),
    periods,
    roles,
    telecoms,
    address,
  },
  { ...PLAIN, requiredKeys: ['code', 'isActive', 'lastUpdated', 'periods', 'roles', 'telecoms'] },
);
const chunkBytes = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(65_536));

const legacy = (each: OrganizationRecord) => LEGACY_JSON.organization(resourceOf(each));
const xml = (resource: { resourceType: string }, pretty: boolean) =>
  encodeXml(resource, STU3.definitions, { pretty });

/** Every form of a source, by name. */
const FORMS: Readonly<
  Record<string, { write: (records: OrganizationRecord[]) => string; reading?: Reading }>
> = {
  NDJSON: { write: (records) => linesOf(records.map((each) => resourceOf(each))) },
  'NDJSON of a named file': {
    write: (records) => linesOf(records.map((each) => resourceOf(each))).trimEnd(),
    reading: { form: 'ndjson' },
  },
  'NDJSON with other line breaks and empty lines': {
    write: (records) =>
      `\n${linesOf(records.map((each) => resourceOf(each))).replaceAll('\n', '\r\n\r\n')}`,
  },
  'legacy NDJSON': { write: (records) => linesOf(records.map(legacy)) },
  'a Bundle on one line': {
    write: (records) => JSON.stringify(bundleOf(records.map((each) => resourceOf(each)))),
  },
  'a Bundle over many lines': {
    write: (records) => JSON.stringify(bundleOf(records.map((each) => resourceOf(each))), null, 2),
  },
  'a legacy Bundle': {
    write: (records) =>
      JSON.stringify(bundleOf(records.map(legacy), { type: 'searchset', total: '7' }), null, 1),
  },
  'a Bundle for each line': {
    write: (records) => linesOf(records.map((each) => bundleOf([resourceOf(each)]))),
  },
  'a Bundle with an entry on each line': {
    write: (records) => {
      const entries = records.map((each) => JSON.stringify({ resource: resourceOf(each) }));
      return `{"resourceType":"Bundle","entry":[\n${entries.join(',\n')}\n]}\n`;
    },
  },
  'a Bundle in XML': {
    write: (records) => xml(bundleOf(records.map((each) => resourceOf(each))), false),
    reading: { form: 'xml' },
  },
  'an indented Bundle in XML': {
    write: (records) => xml(bundleOf(records.map((each) => resourceOf(each))), true),
    reading: { form: 'xml' },
  },
};

describe('records are the same again out of', () => {
  for (const [form, { write, reading }] of Object.entries(FORMS)) {
    it(form, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(record, { minLength: 1, maxLength: 3 }),
          chunkBytes,
          async (records, bytes) => {
            const told = await readSourceText(write(records), { ...reading, chunkBytes: bytes });
            assert.deepEqual(told.records, records);
            assert.deepEqual(told.leftOut, []);
            assert.deepEqual(told.warnings, []);
          },
        ),
        { numRuns: repetitions(10, 100) },
      );
      const told = await readSourceText(write([...RECORDS]), reading);
      assert.deepEqual(told.records, RECORDS);
    });
  }
});

it('an Organization that stands alone is read', async () => {
  for (const each of RECORDS) {
    for (const resource of [resourceOf(each), legacy(each)]) {
      const told = await readSourceText(JSON.stringify(resource, null, 2));
      assert.deepEqual(told.records, [each]);
    }
    const inXml = await readSourceText(xml(resourceOf(each), true), { form: 'xml' });
    assert.deepEqual(inXml.records, [each]);
  }
});

it('URIs are understood as they are configured, and as they are by default', async () => {
  const settings = {
    ...SETTINGS,
    organizationCodeSystem: 'urn:codes',
    activePeriodUrl: 'urn:period',
    dateTypeUrl: 'urn:kind',
    roleUrl: 'urn:role',
    primaryRoleUrl: 'urn:primary',
    roleSystem: 'urn:roles',
    recordClassSystem: 'urn:classes',
    uprnUrl: 'urn:uprn',
  };
  const ours = RECORDS.map((each) => resourceOf(each, settings));
  const [theirs] = RECORDS.map((each) => resourceOf({ ...each, code: 'Z9' }));
  const told = await readSourceText(linesOf([...ours, theirs ?? {}]), {
    settings: [settings, SETTINGS],
  });
  assert.deepEqual(told.records.slice(0, -1), RECORDS);
  assert.deepEqual(told.records.at(-1), { ...RECORDS[0], code: 'Z9' });
  assert.deepEqual(told.warnings, []);
  const unknown = await readSourceText(linesOf([...ours, theirs ?? {}])).then(({ records }) =>
    records.map((each) => each.code),
  );
  assert.deepEqual(unknown, ['Z9']);
});
