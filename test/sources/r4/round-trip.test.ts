/** What is written as an Organization of R4 is read as the record that it was, without what R4 lacks. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OrganizationRecord, PeriodRecord } from '../../../src/directory/record/record.ts';
import { createR4Mapping } from '../../../src/interfaces/r4/resources/organization.ts';
import { partialFromOrganization } from '../../../src/sources/r4/resources.ts';
import { cleanText } from '../../../src/sources/text/source-text.ts';
import { anyRecord } from '../../directory/any-record.ts';
import { SETTINGS } from '../../directory/directory-server.ts';
import { fc } from '../../property.ts';

const CODE_SYSTEMS = {
  roles: [{ code: '177', display: 'PRESCRIBING COST CENTRE' }],
  relationships: [],
  recordClasses: [{ code: '1', display: 'HSCOrg' }],
};
const STATE = { versionId: '7', lastUpdated: '2026-09-01T10:00:00.000Z' };
const toOrganization = createR4Mapping(SETTINGS, CODE_SYSTEMS);

it('each part of an organisation is read from the element that it was written to', () => {
  fc.assert(
    fc.property(anyRecord, fc.boolean(), (any, isReferenceOnly) => {
      const record = asRead(any);
      const organization = toOrganization(record, { ...STATE, isReferenceOnly });
      const outcome = partialFromOrganization(JSON.parse(JSON.stringify(organization)));
      assert.ok('record' in outcome);
      const { periods: _, ...rest } = record;
      const roles = rest.roles.map(({ isPrimary, ...role }) => role);
      assert.deepEqual(outcome.record, { ...rest, roles, isReferenceOnly });
      const kinds = new Set(outcome.warnings.map(({ kind }) => kind));
      assert.deepEqual([...kinds.difference(new Set(['period-without-start']))], []);
      const displays = outcome.codings.filter(({ display }) => display !== undefined);
      const used = [...roles.map(({ code }) => code === '177'), record.recordClass === '1'];
      assert.equal(displays.length, used.filter(Boolean).length);
    }),
  );
});

/** With clean texts, and periods as sources make them. */
function asRead(any: OrganizationRecord): OrganizationRecord {
  const record: OrganizationRecord = JSON.parse(JSON.stringify(any), (_, part) =>
    typeof part === 'string' ? (cleanText(part) ?? 'X') : part,
  );
  const roles = record.roles.map((role) => ({ ...role, periods: inOrder(role.periods) }));
  return { ...record, roles };
}

function inOrder(periods: readonly PeriodRecord[]): readonly PeriodRecord[] {
  return periods
    .map(({ kind, start, end }) => ({
      kind,
      ...(start && { start }),
      ...(end && end >= (start ?? '') && { end }),
    }))
    .toSorted(({ kind: one }, { kind: other }) => (one === other ? 0 : one < other ? 1 : -1));
}
