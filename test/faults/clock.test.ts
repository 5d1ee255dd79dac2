/**
 * A wall clock that jumps back and ahead: no version gets an older time than the version before
 * it, and no export with `--since` misses a version.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { randomFor } from '../../scripts/release/random.ts';
import { gazetteer, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { whyNoLibrary } from './compile-library.ts';
import { createInjector } from './injector.ts';
import { orderClient } from './order-client.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
/** The seconds that the clock is ahead, in this order. */
const JUMPS = [0, -HOUR_S, 2 * HOUR_S, -DAY_S, DAY_S + HOUR_S, 30 * DAY_S, -40 * DAY_S, 0];
const RESOURCES = 4;
const RANDOM_JUMPS = 40;
const UPDATES = 3;

interface ExportedVersion {
  readonly id: string;
  readonly meta: { readonly versionId: string; readonly lastUpdated: string };
}

it('a clock that jumps takes no version out of its order', {
  skip: whyNoLibrary(),
}, async (context) => {
  const { environment, setClockAhead } = createInjector(context);
  const data = join(temporaryFolder(context), 'data');
  const token = await tokenFor(data, '--expires', '366d');
  const words = ['--data', data, '--threads', '2', '--log-requests', 'false'];
  const server = await serve(context, [...words, '--directory-enabled', 'false'], { environment });
  const client = orderClient(server.origin, token);
  const ids: string[] = [];
  for (let number = 0; number < RESOURCES; number++) {
    ids.push((await client.create(`first ${number}`)).stored?.id ?? '');
  }
  const random = randomFor(4, 0);
  const randomJumps = Array.from({ length: RANDOM_JUMPS }, () => random.below(2 * DAY_S) - DAY_S);
  const statuses = new Map<number, number>();
  let writes = 0;
  for (const jump of [...JUMPS, ...randomJumps, 0]) {
    setClockAhead(jump);
    const answers = await Promise.all(
      ids.flatMap((id) =>
        Array.from({ length: UPDATES }, () => client.update(id, `update ${writes++}`)),
      ),
    );
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  // A token is not good before its time: that refuses writes while the clock is behind.
  assert.deepEqual(
    [...statuses.keys()].filter((status) => ![200, 401].includes(status)),
    [],
  );
  assert.equal((await fetch(`${server.operation}/livez`)).status, 200);
  assert.equal((await fetch(`${server.operation}/readyz/orders`)).status, 200);
  await server.stop();

  const versions = await exported(data);
  const newest =
    versions
      .map(({ meta }) => meta.lastUpdated)
      .sort()
      .at(-1) ?? '';
  const aheadMs = Date.parse(newest) - Date.now();
  assert.ok(aheadMs > (Math.max(...JUMPS) - DAY_S) * 1000, 'the clock of the server jumps');
  const faults = versionFaults(versions);
  for (let at = 0; at < versions.length; at += Math.ceil(versions.length / 6)) {
    const since = versions[at]?.meta.lastUpdated ?? '';
    const later = new Set((await exported(data, '--since', since)).map(addressOf));
    const missed = versions.slice(at).filter((version) => !later.has(addressOf(version)));
    if (missed.length > 0) faults.push(`an export since ${since} misses ${missed.length} versions`);
  }
  const verified = await gazetteer(['verify', '--data', data]);
  assert.equal(verified.code, 0, verified.stdout);
  const acknowledged = RESOURCES + (statuses.get(200) ?? 0);
  assert.equal(versions.length, acknowledged);
  context.diagnostic(
    `figures: ${JUMPS.length + RANDOM_JUMPS} jumps of the clock, ` +
      `${acknowledged} acknowledged writes, ${faults.length} lost or told wrongly`,
  );
  assert.deepEqual(faults, []);
});

async function exported(data: string, ...words: string[]): Promise<ExportedVersion[]> {
  const { stdout } = await gazetteer(['orders', 'export', '--data', data, ...words]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function addressOf({ id, meta }: ExportedVersion): string {
  return `${id}/${meta.versionId}`;
}

/** Of each resource no number is missing, and no version is older than the one before it. */
function versionFaults(versions: readonly ExportedVersion[]): string[] {
  const faults: string[] = [];
  for (const [id, all = []] of Object.entries(Object.groupBy(versions, ({ id }) => id))) {
    const sorted = all.toSorted(
      (one, other) => Number(one.meta.versionId) - Number(other.meta.versionId),
    );
    sorted.forEach(({ meta }, at) => {
      if (Number(meta.versionId) !== at + 1) faults.push(`version ${at + 1} of ${id} is missing`);
      if (meta.lastUpdated < (sorted[at - 1]?.meta.lastUpdated ?? '')) {
        faults.push(`version ${meta.versionId} of ${id} is older than the one before it`);
      }
    });
  }
  return faults;
}
