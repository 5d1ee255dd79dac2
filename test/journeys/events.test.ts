/** Three releases after each other: all events agree with a slow and plain search of the records. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { useEdition } from '../../src/cli/open-store.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { SourceRecord } from '../../src/directory/record/record.ts';
import { sourceRecordAt } from '../../src/directory/record/source-record.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { type Happening, happenings, order } from '../directory/events/oracle.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const RELEASES = [
  { revision: 0, sequence: 1, publicationDate: '2026-08-28' },
  { revision: 1, sequence: 2, publicationDate: '2026-09-25' },
  { revision: 2, sequence: 3, publicationDate: '2026-10-30' },
];

interface Event extends Happening {
  readonly knownSince?: { readonly edition: number; readonly date: string };
}

it('lists all events of three releases, and since when each is known', async (context) => {
  const folder = temporaryFolder(context);
  const data = join(folder, 'data');
  const editions: Happening[][] = [];
  for (const release of RELEASES) {
    const file = join(folder, `${release.sequence}.xml`);
    writeFileSync(
      file,
      [...generateRelease({ ...releaseDefaults, records: 400, ...release })].join(''),
    );
    const imported = await runInProcess(['import', file, '--data', data, '--quiet']);
    assert.equal(imported.code, 0, imported.stderr);
    editions.push(await eventsOfCurrent(data));
  }
  const words = ['events', '--since', '1900-01-01', '--format', 'json', '--data', data];
  const { stdout } = await runInProcess(words);
  const events: readonly Event[] = JSON.parse(stdout).events;
  const found = events.map(({ knownSince: _, ...event }) => event).toSorted(byOrder);
  assert.deepEqual(found, editions.at(-1));

  const known = editions.map((all) => new Set(all.map(identityOf)));
  let newer = 0;
  for (const event of events) {
    const first = known.findLastIndex((each) => !each.has(identityOf(event))) + 1;
    const { publicationDate } = RELEASES[first]!;
    const expected = first === 0 ? undefined : { edition: first + 1, date: publicationDate };
    assert.deepEqual(event.knownSince, expected, order(event));
    if (first > 0) newer++;
  }
  assert.ok(newer > 0);
});

async function eventsOfCurrent(data: string): Promise<Happening[]> {
  const config = loadConfig({ flags: { data }, environment: {} });
  let found: Happening[] = [];
  await useEdition(config, (edition) => {
    const records = Array.from(
      { length: edition.relations.rowCount },
      (_, row): SourceRecord => sourceRecordAt(edition, row),
    );
    const roles = edition.codeSystems.roles.map(
      ({ code, display = '' }) => [code, display] as const,
    );
    found = happenings(records, new Map(roles));
  });
  return found;
}

/** Names may change, and a merger is the same event as a succession. */
function identityOf({ kind, code, day, other, role, by }: Happening): string {
  if (kind === 'succeeded' || kind === 'merged') return `succeeded ${code} ${other?.code}`;
  return [kind, code, day, other?.code, role, by].join(' ');
}

function byOrder(one: Happening, other: Happening): number {
  return order(one) < order(other) ? -1 : 1;
}
