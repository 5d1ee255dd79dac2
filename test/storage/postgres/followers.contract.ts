/** Whoever follows order responses misses nothing and hears nothing twice, also over moves. */
import { after, before, it } from 'node:test';
import { fc } from '../../property.ts';
import { Followers, STEPS, type StepName } from './followers.ts';
import { describePostgres, type PostgresServer, startPostgres } from './server.ts';

const NAMES = Object.keys(STEPS).filter((name) => name !== 'move') as StepName[];
const arbitraryStep = fc.record({ name: fc.constantFrom(...NAMES), n: fc.nat(20) });

/** Steps between two moves. */
const arbitraryPart = fc.array(arbitraryStep, { minLength: 2, maxLength: 10 });

/** `runs`: how many sequences of steps are tried. */
export function describeFollowers(runs: number): void {
  describePostgres('followers of order responses', () => {
    let server: PostgresServer;
    before(async () => {
      server = await startPostgres();
    });
    after(() => server.stop());

    it('miss nothing and get nothing twice after any writes, erasures and moves', async (context) => {
      const arbitraryParts = fc.tuple(arbitraryPart, arbitraryPart, arbitraryPart);
      const property = fc.asyncProperty(fc.boolean(), arbitraryParts, async (isInFolder, parts) => {
        const model = await Followers.start(context, server, isInFolder);
        try {
          await model.create();
          for (const [at, part] of parts.entries()) {
            if (at > 0) await moveAfterDeliveries(model);
            for (const { name, n } of part) await STEPS[name](model, n);
          }
          await model.finish();
        } finally {
          await model.close();
        }
      });
      await fc.assert(property, { numRuns: runs, endOnFailure: true });
    });
  });
}

/** Before each move, a subscription has a version that was delivered, and one that was refused. */
async function moveAfterDeliveries(model: Followers): Promise<void> {
  await model.subscribe(0);
  await model.create();
  await model.deliver();
  await model.create();
  await model.failToDeliver();
  await model.read();
  await model.move();
}
