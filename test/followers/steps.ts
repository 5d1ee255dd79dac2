/** The steps of the model: what can happen to a directory. To add one, add a line to `STEPS`. */
import { fc } from '../property.ts';
import { anyCode, anyMutations, type Mutation, mutated } from './nation.ts';
import type { World } from './world.ts';

export interface Step {
  readonly kind: keyof typeof STEPS;
  readonly mutations: readonly Mutation[];
  readonly code: string;
  readonly choice: number;
}

type Run = (world: World, step: Step) => Promise<void>;

const HOUR_MS = 3_600_000;

const STEPS = {
  release: async (world, { mutations, choice }) => {
    world.passDays(choice % 3);
    world.national = mutated(world.national, mutations, world.sourceDay);
    world.releases.push(world.national);
    await world.importRelease(world.national);
  },
  olderRelease: async (world, { choice }) => {
    const older = world.releases[choice % (world.releases.length || 1)] ?? world.national;
    await world.importRelease(older);
  },
  topUp: async (world, { mutations }) => {
    if (!isSound(world)) return;
    const changes = mutations.filter(({ kind }) => kind !== 'remove');
    const after = new Map(world.current);
    const next = mutated(world.current, changes, world.sourceDay);
    const patches = [...next.values()].filter((record) => record !== after.get(record.code));
    const applied = patches.filter((record) => {
      const before = after.get(record.code);
      if (before === undefined) return true;
      const isLess = record.isReferenceOnly === true && before.isReferenceOnly !== true;
      return !isLess && record.lastUpdated >= before.lastUpdated;
    });
    for (const record of applied) after.set(record.code, record);
    await world.importTopUp((topUp) => {
      for (const record of patches) topUp.patch({ kind: 'whole', record });
    }, after);
  },
  removal: async (world, { code }) => {
    if (!isSound(world)) return;
    const after = new Map(world.current);
    const date = world.sourceDay;
    if ((after.get(code)?.lastUpdated ?? '') <= date) after.delete(code);
    await world.importTopUp(
      (topUp) => topUp.removal({ kind: 'organization', id: code, date }),
      after,
    );
  },
  rollback: async (world, { choice }) => {
    const editions = await world.place.store.list();
    const targets = editions.filter(
      ({ isOnDisk, isCurrent, number }) => isOnDisk && !isCurrent && !world.damaged.has(number),
    );
    if (targets.length === 0) return;
    await world.rollBack(targets[choice % targets.length]!.number);
  },
  clockAhead: async (world, { choice }) => world.moveClock((1 + choice) * 24 * HOUR_MS),
  clockBack: async (world, { choice }) => world.moveClock(-(1 + choice) * 24 * HOUR_MS),
  damage: async (world, { choice }) => {
    const number = world.served?.info.number;
    if (number === undefined || world.damaged.has(number)) return;
    world.damaged.add(number);
    if (await hidesReferences(world)) {
      world.damaged.delete(number);
      return;
    }
    await world.place.damage(number, choice);
  },
} as const satisfies Readonly<Record<string, Run>>;

function isSound({ served, damaged }: World): boolean {
  return served !== undefined && !damaged.has(served.info.number);
}

/**
 * Whether a reference-only organisation is in no edition that can be read. The list of editions has
 * only the full ones, so nobody could know that it was there.
 */
async function hidesReferences({ place, damaged, expected }: World): Promise<boolean> {
  const editions = await place.store.list();
  const newest = editions.findLast(({ isOnDisk, number }) => isOnDisk && !damaged.has(number));
  const known = expected.get(newest?.number ?? 0);
  return [...expected]
    .filter(([number]) => number > (newest?.number ?? 0))
    .flatMap(([, records]) => [...records.values()])
    .some(({ isReferenceOnly, code }) => isReferenceOnly === true && known?.has(code) !== true);
}

const KINDS = Object.keys(STEPS) as readonly Step['kind'][];

export const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    mutations: anyMutations,
    code: anyCode,
    choice: fc.nat(1000),
  }),
  { minLength: 3, maxLength: 10 },
);

export async function runStep(world: World, step: Step): Promise<void> {
  world.moveClock(HOUR_MS);
  await STEPS[step.kind](world, step);
}
