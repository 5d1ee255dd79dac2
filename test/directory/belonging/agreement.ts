/** Compares what doors say with what the oracle says. */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { fc } from '../../property.ts';
import { type Answers, type Doors, openDoors } from './doors.ts';
import { type Nation, nation, roleOf, targetsOf } from './nation.ts';
import { Oracle } from './oracle.ts';

/** What a door says that the oracle does not: one line for each column that differs. */
export function differences(door: string, answers: Answers, oracle: Oracle): readonly string[] {
  return [...answers].flatMap(([code, columns]) => {
    const levels = oracle.levels(code).map((level) => `${level.by} ${level.code}`);
    const expected = { ...oracle.columns(code), levels: levels.join(', ') };
    return Object.entries(columns)
      .filter(([name, value]) => value !== expected[name as keyof typeof expected])
      .map(([name, value]) => `${door}: ${code} ${name} "${value}"`);
  });
}

/** Every door about every organisation of this many nations, and about those that belong to each. */
export async function checkDoors(context: TestContext, nations: number): Promise<void> {
  const doors = await openDoors(context);
  const asked = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(nation, async (each) => {
      doors.open(each);
      for (const [door, count] of await checkNation(doors, each)) {
        asked.set(door, (asked.get(door) ?? 0) + count);
      }
    }),
    { numRuns: nations },
  );
  // A door that lists nothing agrees with everything.
  for (const [door, count] of asked) assert.ok(count > 0, `${door} said nothing`);
}

/** How many organisations each door spoke of. Rejects if one says other than the oracle. */
export async function checkNation(
  doors: Doors,
  each: Nation,
): Promise<ReadonlyMap<string, number>> {
  const { records, day } = each;
  const oracle = new Oracle(records, roleOf, day);
  const codes = records.map(({ code }) => code);
  const asked = new Map<string, number>();
  for (const [door, ask] of Object.entries(doors.levels)) {
    const answers = await ask(codes);
    asked.set(door, answers.size);
    assert.deepEqual(differences(door, answers, oracle), []);
  }
  const full = records.filter(({ isReferenceOnly }) => isReferenceOnly !== true);
  for (const target of targetsOf(each)) {
    const expected = full
      .map(({ code }) => code)
      .filter((code) => oracle.levels(code).some((level) => level.code === target));
    for (const [door, ask] of Object.entries(doors.members)) {
      const members = await ask(target);
      assert.deepEqual(members.toSorted(), expected, `${door} of ${target}`);
      asked.set(`${door} of`, (asked.get(`${door} of`) ?? 0) + members.length);
    }
  }
  return asked;
}
