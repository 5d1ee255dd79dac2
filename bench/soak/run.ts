/**
 * Runs servers for hours under a modest load of everything, with imports, rollbacks, bad receivers
 * and restarts of the database. Each minute goes into a CSV file. At the end, every acknowledged
 * write is read back. The exit code is 1 if one is lost, `verify` fails, or memory, descriptors or
 * threads grew.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Owner } from '../../test/owner.ts';
import { openSample, RESULTS, ROOT, releaseFile } from '../data.ts';
import { changesOf } from '../editions/changed-releases.ts';
import { installedProgram, PROGRAM_OPTIONS, PROGRAM_USAGE } from '../program.ts';
import { answerHelp } from '../usage.ts';
import { type Account, startClients } from './clients.ts';
import { createDirectoryRequests } from './directory-requests.ts';
import { keepSoak } from './figures.ts';
import { changesIn, textOfChange } from './level.ts';
import { appendMinute, beginFile, type Minute } from './minutes.ts';
import { operate } from './operator.ts';
import { type Place, startPlaces, stopServer, WITHOUT_DATABASE } from './place.ts';
import { Meter } from './readings.ts';

const OUT = join(RESULTS, 'soak');
answerHelp(`Usage: npm run soak -- --hours N [options]
  --hours N          how long the load runs
  --minutes N        the same, for short runs
  --records N        organisations in the release (20000)
  --out FOLDER       for soak.csv, with a line for each server and minute (${relative(ROOT, OUT)})
${PROGRAM_USAGE}`);
const { values } = parseArgs({
  options: {
    ...PROGRAM_OPTIONS,
    hours: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '0' },
    records: { type: 'string', default: '20000' },
    out: { type: 'string', default: OUT },
  },
});
const minutesWanted = Number(values.hours) * 60 + Number(values.minutes);
if (!(minutesWanted >= 1)) throw new RangeError('Give --hours or --minutes, at least one minute.');
const records = Number(values.records);
const out = resolve(values.out);
const READ_EVERY_MS = 10_000;
/** Records that a top-up changes. */
const CHANGED = 5;
const REVISIONS = 3;

process.env.TEST_PROGRAM = await installedProgram();
mkdirSync(out, { recursive: true });
const file = join(out, 'soak.csv');
beginFile(file);
const startMs = performance.now();
const ends: (() => void | Promise<void>)[] = [];
try {
  const failures = await soak({ after: (end) => void ends.push(end) });
  for (const failure of failures.slice(0, 50)) say(`FAILED: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  for (const end of ends.toReversed()) await end();
}

async function soak(owner: Owner): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-soak-'));
  owner.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const releases = Array.from({ length: REVISIONS }, (_, at) => releaseFile(records, at));
  const [release = ''] = releases;
  const days = Math.ceil(minutesWanted / 1440) + 1;
  const places = await startPlaces(owner, { folder, release, days });
  if (WITHOUT_DATABASE !== undefined) say(`no server with a database: ${WITHOUT_DATABASE}`);
  const nextRequest = createDirectoryRequests(await openSample(join(folder, 'folder')));
  const meters = places.map((place) => new Meter(place));
  const clients = await Promise.all(
    places.map((place, at) => startClients({ owner, place, meter: meters[at]!, nextRequest })),
  );
  const stop = new AbortController();
  const { signal } = stop;
  const durationMs = minutesWanted * 60_000;
  const changesAt = changesOf(release, CHANGED);
  const operation = { say, folder, releases, changesAt, durationMs, signal };
  const operating = Promise.all(places.map((place) => operate(place, operation)));
  const minutes = await measure(meters, operating);
  stop.abort();
  await operating;
  const accounts: Account[] = [];
  for (const one of clients) accounts.push(await one.finish());
  const verified = await Promise.all(places.map(verify));
  const changes = changesIn(minutes);
  keepSoak({ records, minutes, accounts });
  for (const { faults, ...account } of accounts)
    say(`${JSON.stringify(account)}, ${faults.length} faults`);
  for (const change of changes) say(textOfChange(change));
  const stopped = await Promise.all(places.map(stopServer));
  return [
    ...accounts.flatMap(({ faults }) => faults),
    ...verified.flat(),
    ...changes.filter(({ isGrowth }) => isGrowth).map(textOfChange),
    ...stopped.flat(),
  ];
}

/** Reads until the time is over. Ends at once if `operating` fails. */
async function measure(meters: readonly Meter[], operating: Promise<unknown>): Promise<Minute[]> {
  const minutes: Minute[] = [];
  const failed = new Promise<never>((_, reject) => operating.catch(reject));
  // Whoever awaits `operating` sees a later failure.
  failed.catch(() => {});
  const beganMs = performance.now();
  for (let reading = 1; minutes.length < minutesWanted * meters.length; reading++) {
    const restMs = beganMs + reading * READ_EVERY_MS - performance.now();
    await Promise.race([new Promise((done) => setTimeout(done, restMs)), failed]);
    for (const meter of meters) await meter.read();
    if (reading % 6 !== 0) continue;
    const ended = meters.map((meter) => meter.endMinute(reading / 6));
    for (const minute of ended) appendMinute(file, minute);
    minutes.push(...ended);
    keepSoak({ records, minutes, accounts: [] });
  }
  return minutes;
}

async function verify(place: Place): Promise<string[]> {
  try {
    say(`${place.name}: verify: ${(await place.run('verify')).replaceAll('\n', '; ')}`);
    return [];
  } catch (error) {
    return [`${place.name}: ${error}`];
  }
}

function say(text: string): void {
  const minutes = ((performance.now() - startMs) / 60_000).toFixed(1);
  process.stdout.write(`${minutes} min  ${text}\n`);
}
