/** What becomes of Organizations that are not just what this program writes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationRecord } from '../../../src/directory/record/record.ts';
import { STU3 } from '../../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';
import {
  type OrganizationOutcome,
  recordFromOrganization,
  understoodUris,
} from '../../../src/sources/fhir/organization-record.ts';
import { SETTINGS } from '../../directory/directory-server.ts';
import { organization, role } from '../../directory/records.ts';
import { resourceOf } from './fhir-fixture.ts';

const PLAIN = organization('RR8', {
  telecoms: [{ system: 'phone', value: '0113 2433144' }],
  address: { lines: ['BECKETT STREET'], city: 'LEEDS' },
});
const uris = understoodUris([SETTINGS]);

/** The outcome of a valid resource whose text is changed. */
function outcomeOf(change: (text: string) => string, record = PLAIN): OrganizationOutcome {
  const before = JSON.stringify(resourceOf(record));
  const text = change(before);
  assert.notEqual(text, before);
  const { resource, findings } = decodeJson(Buffer.from(text), STU3.definitions);
  assert.deepEqual(findings, []);
  return recordFromOrganization(resource ?? {}, uris, '2026-09-15');
}

const replace = (from: string, to: string) => (text: string) => text.replace(from, () => to);
const ROLE_START = `{"url":"${SETTINGS.roleUrl}","extension":[`;
const PERIOD_START = `{"url":"${SETTINGS.activePeriodUrl}"`;

describe('an Organization is read', () => {
  const read: readonly (readonly [
    name: string,
    change: (text: string) => string,
    expected: Partial<OrganizationRecord>,
    warnings: readonly string[],
    record?: OrganizationRecord,
  ])[] = [
    ['with primaryrole in small letters', replace('"primaryRole"', '"primaryrole"'), {}, []],
    ['with RO before the code of a role', replace('"code":"76"', '"code":"RO76"'), {}, []],
    [
      'with the role system of the old guide',
      replace(SETTINGS.roleSystem, 'https://fhir.nhs.uk/STU3/ODSAPI-OrganizationRole-1'),
      {},
      [],
    ],
    ['with RC before its record class', replace('"code":"1"', '"code":"RC1"'), {}, []],
    [
      'with white space in its texts',
      replace('"ORGANISATION RR8"', '"  ORGANISATION \\n  RR8 "'),
      {},
      [],
    ],
    ['at midnight however it is written', replace('T00:00:00+00:00', 'T00:00:00.000Z'), {}, []],
    [
      'at the time it says',
      replace('T00:00:00+00:00', 'T10:20:30Z'),
      { lastUpdated: '2020-01-15T10:20:30Z' },
      [],
    ],
    [
      'without a last change',
      replace('"lastUpdated":"2020-01-15T00:00:00+00:00",', ''),
      { lastUpdated: '2026-09-15' },
      ['no-last-change-date'],
    ],
    [
      'without active: that of its primary role counts',
      replace('"active":true,', ''),
      {},
      ['status-from-role: RO76'],
    ],
    [
      'without any status: inactive',
      (text) =>
        text.replace('"active":true,', '').replace(',{"url":"status","valueString":"Active"}', ''),
      { isActive: false, roles: [role('76', { isPrimary: true, isActive: false })] },
      ['no-status', 'no-status: role RO76'],
    ],
    [
      'with a role after the primary one that comes first',
      (text) => {
        const other = `${ROLE_START}{"url":"role","valueCoding":{"code":"4"}},{"url":"status","valueString":"inactive"}]},`;
        return text.replace(PERIOD_START, () => other + PERIOD_START);
      },
      {
        roles: [
          role('76', { isPrimary: true }),
          { code: '4', isPrimary: false, isActive: false, periods: [] },
        ],
      },
      [],
    ],
    [
      'with Legal before Operational',
      (text) =>
        text.replace(PERIOD_START, () => {
          const kind = `{"url":"${SETTINGS.dateTypeUrl}","valueString":"Legal"}`;
          const period = `{"extension":[${kind}],"start":"1999","end":"1999-06-30T10:00:00Z"}`;
          return `${PERIOD_START},"valuePeriod":${period}},${PERIOD_START}`;
        }),
      {
        periods: [
          { kind: 'Operational', start: '2001-04-01' },
          { kind: 'Legal', start: '1999', end: '1999-06-30' },
        ],
      },
      ['element-left-out: the time of day of a period'],
    ],
    [
      'with a period that has only an end',
      replace('"start":"2001-04-01"', '"end":"2001-04-01"'),
      { periods: [{ kind: 'Operational', end: '2001-04-01' }] },
      ['period-without-start: Operational'],
    ],
    [
      'without a period that has no date',
      replace(',"start":"2001-04-01"', ''),
      { periods: [] },
      ['period-without-start: Operational'],
    ],
    [
      'without an end before the start',
      replace('"start":"2001-04-01"', '"start":"2001-04-01","end":"2001-03"'),
      {},
      ['invalid-date: Operational end 2001-03 before its start 2001-04-01'],
    ],
    [
      'without a period of another kind',
      replace('"valueString":"Operational"', '"valueString":"Financial"'),
      { periods: [] },
      ['element-left-out: a period of type Financial'],
    ],
    [
      'with a pager as something other',
      replace('"system":"phone"', '"system":"pager"'),
      { telecoms: [{ system: 'other', value: '0113 2433144' }] },
      ['unknown-contact-type: pager'],
    ],
    [
      'with elements left out that records have no place for, each noted once',
      (text) =>
        text
          .replace('"name"', '"alias":["A","B"],"contact":[{"name":{"text":"X"}}],"name"')
          .replace('"value":"0113', '"use":"work","value":"0113')
          .replace(
            '"address":[',
            '"address":[{"state":"YORKSHIRE","city":"LEEDS","line":["BECKETT STREET"]},',
          )
          .replace('"identifier":[', '"identifier":[{"system":"urn:x","value":"1"},')
          .replace('"extension":[', '"extension":[{"url":"urn:e","valueString":"x"},'),
      {},
      [
        'element-left-out: another identifier',
        'element-left-out: extension urn:e',
        'element-left-out: another address',
        'element-left-out: address.state',
        'element-left-out: telecom.use',
        'element-left-out: alias',
        'element-left-out: contact',
      ],
    ],
    [
      'without a role of an unknown system',
      (text) =>
        text.replace(ROLE_START, () => {
          const coding = '{"system":"urn:roles","code":"5"}';
          return `${ROLE_START}{"url":"role","valueCoding":${coding}}]},${ROLE_START}`;
        }),
      {},
      [
        'unknown-role: a code of the system urn:roles',
        'unknown-role: a role without a code that is understood',
      ],
    ],
  ];
  for (const [name, change, expected, warnings] of read) {
    it(name, () => {
      const outcome = outcomeOf(change);
      assert.ok('record' in outcome, JSON.stringify(outcome));
      assert.deepEqual(outcome.record, { ...PLAIN, ...expected });
      const noted = outcome.warnings.map(({ kind, detail }) =>
        detail === undefined ? kind : `${kind}: ${detail}`,
      );
      assert.deepEqual(noted.toSorted(), warnings.toSorted());
    });
  }
});

describe('an Organization is left out', () => {
  const leftOut: readonly (readonly [
    name: string,
    change: (text: string) => string,
    reason: string,
    detail?: RegExp,
  ])[] = [
    ['without an id', replace('"id":"RR8",', ''), 'invalid-resource', /no id/],
    [
      'without an identifier of the system',
      replace(SETTINGS.organizationCodeSystem, 'urn:x'),
      'invalid-resource',
      /no identifier of the system https:/,
    ],
    [
      'whose id and identifier differ',
      replace('"id":"RR8"', '"id":"RR9"'),
      'invalid-resource',
      /"RR8" differ/,
    ],
    ['whose code has other characters', (text) => text.replaceAll('RR8', 'RR-8'), 'invalid-code'],
    ['without a role', replace(SETTINGS.roleUrl, 'urn:x'), 'no-role'],
    [
      'without a primary role',
      replace('"valueBoolean":true', '"valueBoolean":false'),
      'no-primary-role',
    ],
    [
      'with two primary roles',
      (text) => {
        const start = text.indexOf(ROLE_START);
        const end = text.indexOf('],"identifier"');
        return `${text.slice(0, end)},${text.slice(start, end)}${text.slice(end)}`;
      },
      'several-primary-roles',
      /^76, 76$/,
    ],
    [
      'with a text that is too long',
      replace('ORGANISATION RR8', 'X'.repeat(4097)),
      'invalid-resource',
      /longer than 4096/,
    ],
  ];
  for (const [name, change, reason, detail] of leftOut) {
    it(name, () => {
      const outcome = outcomeOf(change);
      assert.ok('leftOut' in outcome);
      assert.equal(outcome.leftOut, reason);
      if (detail !== undefined) assert.match(outcome.detail ?? '', detail);
    });
  }
});
