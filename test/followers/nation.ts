/** The organisations as a source publishes them: what changes from one release to the next. */
import type { RelationshipRecord, SourceRecord } from '../../src/directory/record/record.ts';
import { organization, role } from '../directory/records.ts';
import { fc } from '../property.ts';

export type Records = ReadonlyMap<string, SourceRecord>;

/** A change of one organisation. `choice` decides what exactly it becomes. */
export interface Mutation {
  readonly kind: keyof typeof MUTATIONS;
  readonly code: string;
  readonly choice: number;
}

const CODES = ['A1', 'B1', 'C1', 'D1', 'E1', 'F1'];
const NAMES = ['NORTH', 'EAST', 'SOUTH', 'WEST'];

/** What a mutation makes of a record; undefined removes it. */
const MUTATIONS = {
  rename: (record, choice) => ({ ...record, name: NAMES[choice % NAMES.length]! }),
  close: (record, choice) => ({ ...record, isActive: choice % 2 === 0 }),
  refer: (record, choice) => {
    const { isReferenceOnly: _, ...full } = record;
    return choice % 2 === 0 ? full : { ...full, isReferenceOnly: true };
  },
  relate: (record, choice) => ({ ...record, relationships: relationshipsOf(record.code, choice) }),
  remove: () => undefined,
} as const satisfies Readonly<
  Record<string, (record: SourceRecord, choice: number) => SourceRecord | undefined>
>;

const KINDS = Object.keys(MUTATIONS) as readonly (keyof typeof MUTATIONS)[];

export const anyMutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    code: fc.constantFrom(...CODES),
    choice: fc.nat(7),
  }),
  { minLength: 1, maxLength: 3 },
);

export const anyCode: fc.Arbitrary<string> = fc.constantFrom(...CODES);

/** The first release. There is always an organisation that nothing removes. */
export function firstRecords(day: string): Records {
  return new Map(['A1', 'B1', 'C1', 'Z9'].map((code) => [code, newRecord(code, day)]));
}

/** The records after the mutations. What changes is dated with the day. */
export function mutated(records: Records, mutations: readonly Mutation[], day: string): Records {
  const next = new Map(records);
  for (const { kind, code, choice } of mutations) {
    const change: (record: SourceRecord, choice: number) => SourceRecord | undefined =
      MUTATIONS[kind];
    const after = change(next.get(code) ?? newRecord(code, day), choice);
    if (after === undefined) next.delete(code);
    else next.set(code, { ...after, lastUpdated: day });
  }
  return next;
}

function newRecord(code: string, day: string): SourceRecord {
  const uniqueId = 100 * (code.codePointAt(0) ?? 0);
  return {
    ...organization(code, {
      lastUpdated: day,
      roles: [role('76', { isPrimary: true, uniqueId })],
    }),
    relationships: relationshipsOf(code, 0),
    successions: [],
  };
}

/** Up to three relationships, whose numbers stay the same. */
function relationshipsOf(code: string, choice: number): readonly RelationshipRecord[] {
  return CODES.slice(0, choice % 4).map((target, at) => ({
    type: '4',
    uniqueId: 100 * (code.codePointAt(0) ?? 0) + at + 1,
    isActive: true,
    periods: [],
    target: { code: target },
  }));
}
