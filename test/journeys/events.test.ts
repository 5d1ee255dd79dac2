/** Three releases with top-ups between them: all events agree with a slow and plain search of the records. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { useEdition } from '../../src/cli/parts/open-store.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { sourceRecordAt } from '../../src/directory/edition/source-record.ts';
import type { SourceRecord } from '../../src/directory/record/record.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { type Happening, happenings, order } from '../directory/events/oracle.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const RELEASES = [
  { revision: 0, sequence: 1, publicationDate: '2026-08-28' },
  { revision: 10, sequence: 2, publicationDate: '2026-09-04', isTopUp: true },
  { revision: 1, sequence: 3, publicationDate: '2026-09-25' },
  { revision: 11, sequence: 4, publicationDate: '2026-10-02', isTopUp: true },
  { revision: 2, sequence: 5, publicationDate: '2026-10-30' },
];

interface Event extends Happening {
  readonly knownSince?: { readonly edition: number; readonly date: string };
}

it('lists all events of three releases with top-ups between them, and since when each is known', async (context) => {
  const folder = temporaryFolder(context);
  const data = join(folder, 'data');
  const editions: Happening[][] = [];
  const names: Map<string, string>[] = [];
  for (const { isTopUp = false, ...release } of RELEASES) {
    const file = join(folder, `${release.sequence}.xml`);
    const text = [...generateRelease({ ...releaseDefaults, records: 400, ...release })].join('');
    const type = '<PublicationType value="Full"/>';
    assert.ok(text.includes(type));
    writeFileSync(file, isTopUp ? text.replace(type, type.replace('Full', 'Partial')) : text);
    const imported = await runInProcess([
      'import',
      file,
      '--data',
      data,
      '--quiet',
      '--editions-keep',
      '9',
    ]);
    assert.equal(imported.code, 0, imported.stderr);
    const records = await recordsOfCurrent(data);
    editions.push(records.events);
    names.push(records.names);
  }
  const words = ['events', '--since', '1900-01-01', '--format', 'json', '--data', data];
  const { stdout } = await runInProcess(words);
  const events: readonly Event[] = JSON.parse(stdout).events;
  const found = events.map(({ knownSince: _, ...event }) => event).toSorted(byOrder);
  const renamed = renamings(names);
  assert.ok(renamed.length > 0);
  assert.deepEqual(found, [...editions.at(-1)!, ...renamed].toSorted(byOrder));

  const known = editions.map((all) => new Set(all.map(identityOf)));
  let newer = 0;
  for (const event of events.filter(({ kind }) => kind !== 'renamed')) {
    const first = known.findLastIndex((each) => !each.has(identityOf(event))) + 1;
    const { publicationDate } = RELEASES[first]!;
    const expected = first === 0 ? undefined : { edition: first + 1, date: publicationDate };
    assert.deepEqual(event.knownSince, expected, order(event));
    if (first > 0) newer++;
  }
  assert.ok(newer > 0);
});

async function recordsOfCurrent(data: string) {
  const config = loadConfig({ flags: { data }, environment: {} });
  let events: Happening[] = [];
  const names = new Map<string, string>();
  await useEdition(config, (edition) => {
    const records = Array.from(
      { length: edition.links.rowCount },
      (_, row): SourceRecord => sourceRecordAt(edition, row),
    );
    const roles = edition.codeSystems.roles.map(
      ({ code, display = '' }) => [code, display] as const,
    );
    events = happenings(records, new Map(roles));
    for (const { code, name = '', isReferenceOnly } of records) {
      if (isReferenceOnly !== true) names.set(code, name);
    }
  });
  return { events, names };
}

/** Of organisations that the last edition still has. `names`: by code, of each edition. */
function renamings(names: readonly ReadonlyMap<string, string>[]): Happening[] {
  return names.slice(1).flatMap((next, at) =>
    [...next]
      .map(([code, name]) => ({ code, name, before: names[at]!.get(code) }))
      .filter(({ code, name, before }) => before && before !== name && names.at(-1)!.has(code))
      .map(({ code, name, before }) => ({
        kind: 'renamed',
        code,
        name,
        day: RELEASES[at + 1]!.publicationDate,
        text: `Renamed from ${before} to ${name}`,
      })),
  );
}

/** Names may change, and a merger is the same event as a succession. */
function identityOf({ kind, code, day, other, role, by }: Happening): string {
  if (kind === 'succeeded' || kind === 'merged') return `succeeded ${code} ${other?.code}`;
  return [kind, code, day, other?.code, role, by].join(' ');
}

function byOrder(one: Happening, other: Happening): number {
  return order(one) < order(other) ? -1 : 1;
}
