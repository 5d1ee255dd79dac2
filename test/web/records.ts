/** Records for tests of pages: what makes pages break, and enough of it to fill more than one. */
import type { EditionHistory, EditionInfo } from '../../src/directory/edition/edition-store.ts';
import type { OrganizationRecord } from '../../src/directory/record/record.ts';
import { organization, RECORDS, role } from '../directory/records.ts';

export const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(6);

/** Markup in every text that a page shows. */
export const HOSTILE =
  '"><img src=x onerror=globalThis.hacked=1><script>globalThis.hacked=1</script>';

const HOSTILE_RECORD = organization('ZX1', {
  name: `HOSTILE ${HOSTILE}`,
  telecoms: [
    { system: 'phone', value: HOSTILE },
    { system: 'email', value: 'a@example.org?subject=x' },
    { system: 'url', value: 'javascript:globalThis.hacked=1' },
    { system: 'other', value: HOSTILE },
  ],
  address: { lines: [HOSTILE], city: HOSTILE, district: HOSTILE, postalCode: 'ZZ1 1ZZ' },
});

const MANY = Array.from({ length: 45 }, (_, i) =>
  organization(`M${String(i).padStart(4, '0')}`, {
    name: `${i % 3 === 0 ? 'THE MANY' : 'MANY'} SURGERY ${i}`,
    isActive: i % 5 !== 0,
    roles: [role(i % 2 === 0 ? '177' : '76', { isPrimary: true })],
    address: { lines: [`${i} HIGH STREET`], city: 'YORK', postalCode: `YO1 ${i % 10}AA` },
  }),
);

/** In the order of their codes. */
export const PAGE_RECORDS: readonly OrganizationRecord[] = [
  ...RECORDS,
  ...MANY,
  HOSTILE_RECORD,
  organization('ZX2', { name: `${LONG_NAME} Öğrenci Sağlığı Ñandú`, telecoms: [] }),
].sort((a, b) => (a.code < b.code ? -1 : 1));

const info = (number: number, month: string, more: Partial<EditionInfo> = {}): EditionInfo => ({
  number,
  publicationDate: `2026-${month}-28`,
  source: `release-${month}.zip`,
  records: 50 + number,
  importedAt: `2026-${month}-29T09:00:00.000Z`,
  publishedAt: `2026-${month}-29T09:01:00.000Z`,
  added: 2,
  changed: 1,
  removed: 1,
  isCurrent: false,
  isOnDisk: true,
  ...more,
});

/** Of the edition before the last. */
const RECORDS_BEFORE = [
  organization('RR8', { name: 'LEEDS HOSPITALS', isActive: false }),
  organization('GONE1', { name: 'THE GONE SURGERY' }),
];

/** Three editions, of which the last changed RR8, added RTG and removed GONE1. */
export const HISTORY: EditionHistory = {
  list: async () => [
    info(1, '07', { added: 51, changed: 0, removed: 0, isOnDisk: false }),
    info(2, '08'),
    info(3, '09', { changed: 2, isCurrent: true }),
  ],
  differenceCounts: async (number) => {
    if (number === 1) return { byRole: [{ code: '76', added: 51, changed: 0, removed: 0 }] };
    if (number > 3) return undefined;
    return {
      comparedTo: number - 1,
      byRole: [
        { code: '76', added: 0, changed: 0, removed: 1 },
        { code: '197', added: 2, changed: 1, removed: 0 },
      ],
    };
  },
  codes: async (number, kind) =>
    number === 3 ? { added: 'RTG\nX1', changed: 'A81002\nRR8', removed: 'GONE1' }[kind] : '',
  changeOf: async (number, code) => {
    const kinds = { RTG: 'added', RR8: 'changed', A81002: 'changed', GONE1: 'removed' } as const;
    return number === 3 ? new Map(Object.entries(kinds)).get(code) : undefined;
  },
  record: async (number, code) =>
    number === 2 ? (RECORDS_BEFORE.find((record) => record.code === code) ?? 'none') : undefined,
  records: async (number, codes) =>
    number === 2
      ? codes.map((code) => RECORDS_BEFORE.find((record) => record.code === code) ?? 'none')
      : undefined,
  [Symbol.dispose]: () => {},
};

/** The first of these editions, when it was the only one. */
export const ONE_EDITION: EditionHistory = {
  ...HISTORY,
  list: async () =>
    (await HISTORY.list()).slice(0, 1).map((first) => ({ ...first, isCurrent: true })),
};
