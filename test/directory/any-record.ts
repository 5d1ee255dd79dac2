/** Records with every combination of parts, and with texts that formats must escape. */

import type {
  OrganizationRecord,
  PeriodRecord,
  RoleRecord,
  TelecomRecord,
} from '../../src/directory/record/record.ts';
import { fc } from '../property.ts';
import { withoutAbsent } from '../without-absent.ts';

const text = fc.oneof(
  fc.constantFrom('A & B', '"quoted"', "O'NEIL", '<b>', 'Café', 'a\tb', '𝒳 Y', 'x'.repeat(300)),
  fc.string({ minLength: 1, maxLength: 20 }).filter((value) => /^[\x20-\x7e]+$/.test(value)),
);
const date = fc.constantFrom('1999-12-31', '2001-04-01', '2020-02-29');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const period: fc.Arbitrary<PeriodRecord> = fc
  .record({
    kind: fc.constantFrom('Operational' as const, 'Legal' as const),
    start: optional(date),
    end: optional(date),
  })
  .filter(({ start, end }) => start !== undefined || end !== undefined)
  .map(withoutAbsent);
const anyRole: fc.Arbitrary<RoleRecord> = fc
  .record({
    code: fc.constantFrom('76', '177', '4711'),
    isPrimary: fc.boolean(),
    isActive: fc.boolean(),
    periods: fc.array(period, { maxLength: 2 }),
    uniqueId: optional(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  })
  .map(withoutAbsent);
const telecom: fc.Arbitrary<TelecomRecord> = fc
  .record({ system: fc.constantFrom('phone', 'url'), value: text })
  .map(withoutAbsent);
export const anyRecord: fc.Arbitrary<OrganizationRecord> = fc
  .record({
    code: fc.constant('A1'),
    name: optional(text),
    isActive: fc.boolean(),
    lastUpdated: fc.constantFrom('2020-01-01', '2020-01-01T10:00:00.123+01:00'),
    recordClass: optional(fc.constantFrom('1', '2')),
    periods: fc.array(period, { maxLength: 2 }),
    roles: fc.array(anyRole, { minLength: 1, maxLength: 3 }),
    telecoms: fc.array(telecom),
    address: optional(
      fc
        .record({
          lines: fc.array(text, { maxLength: 3 }),
          city: optional(text),
          district: optional(text),
          postalCode: fc.constant('LS1 1AA'),
          country: optional(text),
          uprn: optional(fc.constant('10001')),
        })
        .map(withoutAbsent),
    ),
    authority: optional(fc.constantFrom('HSCIC', 'A & B')),
  })
  .map(withoutAbsent);
