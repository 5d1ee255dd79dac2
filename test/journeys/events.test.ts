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
import { knownChanges } from '../directory/events/known-oracle.ts';
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
  const versions: SourceRecord[][] = [];
  let roles: ReadonlyMap<string, string> = new Map();
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
    const current = await recordsOfCurrent(data);
    roles = current.roles;
    versions.push(current.records);
    editions.push(happenings(current.records, roles));
  }
  const words = ['events', '--since', '1900-01-01', '--format', 'json', '--data', data];
  const { stdout } = await runInProcess(words);
  const events: readonly Event[] = JSON.parse(stdout).events;
  const found = events.map(({ knownSince: _, ...event }) => event).toSorted(byOrder);
  const compared = comparisons(versions.map(namesOf));
  assert.ok(['renamed', 'added', 'removed'].every((kind) => compared.some((e) => e.kind === kind)));
  assert.deepEqual(found, [...editions.at(-1)!, ...compared].toSorted(byOrder));

  const known = editions.map((all) => new Set(all.map(identityOf)));
  let newer = 0;
  for (const event of events.filter(({ kind }) => !COMPARED.includes(kind))) {
    const first = known.findLastIndex((each) => !each.has(identityOf(event))) + 1;
    const { publicationDate } = RELEASES[first]!;
    const expected = first === 0 ? undefined : { edition: first + 1, date: publicationDate };
    assert.deepEqual(event.knownSince, expected, order(event));
    if (first > 0) newer++;
  }
  assert.ok(newer > 0);

  for (const base of versions.slice(0, -1).map((_, at) => at + 1)) {
    const known = await runInProcess([
      'events',
      '--since-edition',
      String(base),
      '--format',
      'json',
      '--data',
      data,
    ]);
    const newlyKnown: readonly Event[] = JSON.parse(known.stdout).events;
    const expected = knownChanges(versions, base, roles);
    assert.ok(expected.length > 0);
    assert.deepEqual(
      newlyKnown.map(({ kind, text, code }) => `${code} ${kind} ${text}`).toSorted(),
      expected.map(({ kind, text, code }) => `${code} ${kind} ${text}`).toSorted(),
    );
    const day = `${RELEASES[base]!.publicationDate}`;
    const byDay = await runInProcess(['events', '--known-since', day, '--data', data]);
    assert.equal(byDay.stdout.trim().split('\n').length, expected.length + 1);
  }
});

const COMPARED: readonly string[] = ['renamed', 'added', 'removed'];

const PLACES: readonly string[] = ['row', 'ordinal', 'sourceRow'];

async function recordsOfCurrent(data: string) {
  const config = loadConfig({ flags: { data }, environment: {} });
  let records: SourceRecord[] = [];
  let roles: ReadonlyMap<string, string> = new Map();
  await useEdition(config, (edition) => {
    records = Array.from(
      { length: edition.links.rowCount },
      // Without the places of links, which differ from edition to edition.
      (_, row): SourceRecord =>
        JSON.parse(
          JSON.stringify(sourceRecordAt(edition, row), (key, value) =>
            PLACES.includes(key) ? undefined : value,
          ),
        ),
    );
    roles = new Map(edition.codeSystems.roles.map(({ code, display = '' }) => [code, display]));
  });
  return { records, roles };
}

function namesOf(records: readonly SourceRecord[]): ReadonlyMap<string, string> {
  const full = records.filter(({ isReferenceOnly }) => isReferenceOnly !== true);
  return new Map(full.map(({ code, name = '' }) => [code, name]));
}

/** What comparing each edition with the one before shows. `names`: by code, of each edition. */
function comparisons(names: readonly ReadonlyMap<string, string>[]): Happening[] {
  return names.slice(1).flatMap((next, at) => {
    const before = names[at]!;
    const day = RELEASES[at + 1]!.publicationDate;
    const event = (kind: string, code: string, name: string, text: string) => ({
      kind,
      code,
      name,
      day,
      text,
    });
    const found = [...next].flatMap(([code, name]) => {
      const old = before.get(code);
      if (old === undefined) return [event('added', code, name, 'New in the directory')];
      // Of organisations that are gone, earlier names are not listed.
      const now = names.at(-1)!.get(code);
      if (old === '' || old === name || now === undefined) return [];
      return [event('renamed', code, name, `Renamed from ${old} to ${name}`)];
    });
    const gone = [...before].filter(([code]) => !next.has(code));
    return [
      ...found,
      ...gone.map(([code, name]) => event('removed', code, name, 'Gone from the directory')),
    ];
  });
}

/** Names may change, and a merger is the same event as a succession. */
function identityOf({ kind, code, day, other, role, by }: Happening): string {
  if (kind === 'succeeded' || kind === 'merged') return `succeeded ${code} ${other?.code}`;
  return [kind, code, day, other?.code, role, by].join(' ');
}

function byOrder(one: Happening, other: Happening): number {
  return order(one) < order(other) ? -1 : 1;
}
