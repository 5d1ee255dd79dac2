/** A directory for lists: names that are alike, closed codes, and what organisations belong to. */
import { openPostcodes } from '../../../src/directory/places/stored-postcodes.ts';
import { editionOf } from '../../directory/directory-server.ts';
import { placed, storedPostcodes } from '../../directory/places/postcode-rows.ts';
import { organization, role } from '../../directory/records.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS, relationship } from '../related-records.ts';

/** Two surgeries have the same name, in different towns. */
const SURGERIES = [
  ['Z00001', 'LEEDS', 'LS1 4AP'],
  ['Z00002', 'YORK', 'YO1 1AA'],
].map(([code = '', city = '', postalCode = '']) => ({
  ...organization(code, {
    name: 'PARK SURGERY',
    roles: [role('177', { isPrimary: true })],
    address: { lines: ['1 PARK LANE'], city, postalCode },
  }),
  relationships: [relationship('4', '15F', '319')],
}));

/** Closed, and what replaced it has closed too. */
const CLOSED = [
  ['B80002', 'RIVER PRACTICE', '2021-03-31', 'C80000'],
  ['C80000', 'RIVER GROUP', '2025-04-01', undefined],
].map(([code = '', name = '', end = '', successor]) => ({
  ...organization(code, {
    name,
    isActive: false,
    roles: [role('177', { isPrimary: true })],
    periods: [{ kind: 'Operational' as const, start: '2013-04-01', end }],
  }),
  relationships: [relationship('4', '15F', '319')],
  successions:
    successor === undefined
      ? []
      : [
          {
            kind: 'Successor' as const,
            periods: [{ kind: 'Legal' as const, start: '2021-04-01' }],
            target: { code: successor },
          },
        ],
}));

const POSTCODES = openPostcodes(
  storedPostcodes([
    { ...placed('LS1 4AP', 53.79, -1.55), areas: { localAuthority: 'E08000035' } },
    { ...placed('YO1 1AA', 53.9591, -1.0815), terminated: '201903' },
  ]),
);

export const LIST_EDITION = editionOf(
  [...RELATED_RECORDS, ...SURGERIES, ...CLOSED].toSorted((a, b) => (a.code < b.code ? -1 : 1)),
  1,
  RELATED_CODE_SYSTEMS,
  POSTCODES,
);

export const LIST_EDITIONS = { current: () => LIST_EDITION, byNumber: () => LIST_EDITION };
