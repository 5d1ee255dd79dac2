/** A resource that differs has another entity tag: otherwise 304 would keep the old content alive. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { haveSameContent } from '../../src/directory/edition/difference.ts';
import {
  type Edition,
  openEdition,
  openRecordsForComparison,
} from '../../src/directory/edition/edition.ts';
import { buildChanges } from '../../src/directory/edition/kept-changes.ts';
import type { SourceRecord } from '../../src/directory/record/record.ts';
import { encodeJson } from '../../src/fhir/format/json.ts';
import type { DirectoryFace } from '../../src/interfaces/faces/face.ts';
import { renderEdition } from '../../src/interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../../src/interfaces/served-faces.ts';
import { SETTINGS } from './directory-server.ts';
import { editionArrays } from './edition-arrays.ts';
import { CODE_SYSTEMS } from './records.ts';

/** With every element: a new one does not compile before it is here. */
type Complete<Value> = Value extends object
  ? { readonly [Key in keyof Value]-?: Complete<Exclude<Value[Key], undefined>> }
  : Value;

const PERIODS = [
  { kind: 'Operational', start: '2001-04-01', end: '2030-03-31' },
  { kind: 'Legal', start: '2000-01-01', end: '2031-03-31' },
] as const;

function completeRecord(code: string, other: string): Complete<SourceRecord> {
  const target = { code: other, primaryRole: '76', primaryRoleId: 11 };
  const periods = PERIODS;
  return {
    code,
    name: 'THE DENSHAM SURGERY',
    isActive: true,
    lastUpdated: '2020-01-15',
    recordClass: '1',
    periods,
    roles: [
      { code: '76', isPrimary: true, isActive: true, periods, uniqueId: 11 },
      { code: '177', isPrimary: false, isActive: true, periods, uniqueId: 12 },
    ],
    telecoms: [{ system: 'phone', value: '01642 000000' }],
    address: {
      lines: ['THE HEALTH CENTRE', 'LAWSON STREET'],
      city: 'PETERBOROUGH',
      district: 'CAMBRIDGESHIRE',
      postalCode: 'PE1 1AA',
      country: 'ENGLAND',
      uprn: '100012345678',
    },
    authority: 'HSCIC',
    isReferenceOnly: false,
    relationships: [{ type: '4', uniqueId: 21, isActive: true, periods, target }],
    successions: [{ kind: 'Successor', uniqueId: 31, periods, isForward: true, target }],
  };
}

const FIRST = completeRecord('A1', 'B1');
const SECOND = completeRecord('B1', 'A1');

/** The same value with one element changed, for each element of it. */
function* changesOf<Value>(value: Value, path = ''): Generator<readonly [string, Value]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, otherOf(value) as Value];
    return;
  }
  for (const [key, own] of Object.entries(value)) {
    for (const [where, other] of changesOf(own, `${path}/${key}`)) {
      const changed = Array.isArray(value)
        ? value.with(Number(key), other)
        : { ...value, [key]: other };
      yield [where, changed as Value];
    }
  }
}

const OTHER_CODES = new Map([
  ['Operational', 'Legal'],
  ['Legal', 'Operational'],
  ['Successor', 'Predecessor'],
  ['phone', 'url'],
  ['fhir', 'legacy'],
]);

function otherOf(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (/^\d{4}-/.test(`${value}`)) return '2011-11-11';
  return OTHER_CODES.get(`${value}`) ?? `${value ?? ''}1`;
}

interface State {
  readonly records: readonly SourceRecord[];
  readonly codeSystems: typeof CODE_SYSTEMS;
  readonly settings: typeof SETTINGS;
}

const BEFORE: State = { records: [FIRST, SECOND], codeSystems: CODE_SYSTEMS, settings: SETTINGS };

const ARRAYS_BEFORE = editionArrays(BEFORE.records);
const EDITION_BEFORE = {
  ...openEdition({ number: 1, publishedAt: '2026-08-01T10:00:00.000Z' }, ARRAYS_BEFORE),
  ...openRecordsForComparison(ARRAYS_BEFORE),
};

/** The edition of a state, which follows one with `BEFORE`. */
function editionOf({ records, codeSystems }: State): Edition {
  const arrays = editionArrays(records, { codeSystems });
  const changes = buildChanges(EDITION_BEFORE, openRecordsForComparison(arrays));
  const identity = { number: 2, publishedAt: '2026-09-01T10:00:00.000Z' };
  return openEdition(identity, { ...arrays, ...changes.arrays });
}

/** By code: the resource and its tag. */
function answersOf(face: DirectoryFace, { records, settings }: State, edition: Edition) {
  const rendered = renderEdition(face, edition, settings);
  const rows = records.map(({ code }) => rendered.rowOf(code));
  return rows.map(
    (row) =>
      row !== undefined && {
        body: encodeJson(rendered.jsonAt(row)),
        tag: rendered.etagOf(row, 'json'),
      },
  );
}

const CHANGES: readonly (readonly [string, State])[] = [
  ...Array.from(changesOf<SourceRecord>(FIRST, 'first'), ([where, changed]) => {
    return [where, { ...BEFORE, records: [changed, SECOND] }] as const;
  }),
  ...Array.from(changesOf<SourceRecord>(SECOND, 'second'), ([where, changed]) => {
    return [where, { ...BEFORE, records: [FIRST, changed] }] as const;
  }),
  ...Array.from(changesOf(CODE_SYSTEMS, 'codes'), ([where, codeSystems]) => {
    return [where, { ...BEFORE, codeSystems }] as const;
  }),
  ...Array.from(changesOf(SETTINGS, 'settings'), ([where, settings]) => {
    return [where, { ...BEFORE, settings }] as const;
  }),
];

/** Each is made once for all faces. */
const EDITION = editionOf(BEFORE);
const EDITIONS = CHANGES.map(([, state]) =>
  state.settings === SETTINGS ? editionOf(state) : EDITION,
);

for (const face of DIRECTORY_FACES) {
  it(`of ${face.name} differs for each change that the resource shows`, () => {
    const before = answersOf(face, BEFORE, EDITION);
    const shown = CHANGES.filter(([where, state], change) => {
      // A tag that is the version does not change with a setting.
      if (face.isComplete === true && state.settings !== SETTINGS) return false;
      const after = answersOf(face, state, EDITIONS[change]!);
      return after.some((answer, at) => {
        const known = before[at];
        if (!answer || !known || answer.body === known.body) return false;
        assert.notEqual(answer.tag, known.tag, where);
        return true;
      });
    });
    assert.ok(shown.length > 60, `${shown.length} changes`);
  });
}

it('changes with the edition for each element of a record', () => {
  for (const [where, changed] of changesOf<SourceRecord>(FIRST)) {
    if (where === '/isReferenceOnly') continue; // the record moves to the other section
    assert.ok(!haveSameContent(FIRST, changed), where);
  }
});
