/** Imports a release file that may have anything in it, and says what the product did wrong. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { userMs } from '../../bench/machine-speed.ts';
import type { NamedArrays } from '../../src/directory/arrays/arrays.ts';
import { openEdition } from '../../src/directory/edition/edition.ts';
import { createCollector } from '../../src/directory/import/collector.ts';
import { type ImportReport, importEdition } from '../../src/directory/import/import-edition.ts';
import { TopUp } from '../../src/directory/import/top-up.ts';
import { SourceError, type SourceReceiver } from '../../src/directory/record/source.ts';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson, encodeJson } from '../../src/fhir/format/json.ts';
import { renderEdition } from '../../src/interfaces/faces/rendered-edition.ts';
import { STU3_FACE } from '../../src/interfaces/stu3/face.ts';
import { readSource } from '../../src/sources/import/read-source.ts';
import { type DataFolder, openDataFolder } from '../../src/storage/files/data-folder.ts';
import { openEditionStore } from '../../src/storage/sqlite/editions/edition-store.ts';
import { verifyEditions } from '../../src/storage/sqlite/editions/verify-editions.ts';
import { SETTINGS } from '../directory/directory-server.ts';
import { atUsualSpeed, STALL_MS } from './fuzz-kind.ts';
import { mutatedRelease } from './release-mutations.ts';
import type { Random } from './seeded-random.ts';

/** Undefined where a mutated release is imported or refused as it should be. */
export function tryRelease(random: Random): Promise<string | undefined> {
  return attemptRelease(mutatedRelease(random));
}

/** The same for the bytes of a file. Their number decides how they are read: as standard input, with the archive. */
export async function attemptRelease(bytes: Buffer): Promise<string | undefined> {
  const path = mkdtempSync(join(tmpdir(), 'gazetteer-fuzz-'));
  const loop = watchLoop();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no end within ${HANG_MS / 1000} s`), HANG_MS);
  });
  try {
    const found = await Promise.race([importBytes(bytes, path), late]);
    const { stallMs, growthBytes } = loop.stop();
    if (found !== undefined) return found;
    const parts = 1 + Math.ceil(bytes.length / 65_536);
    const usualMs = atUsualSpeed(stallMs);
    if (usualMs > STALL_MS * parts) return `holds the event loop up for ${Math.round(usualMs)} ms`;
    if (growthBytes > GROWTH_BYTES_MAX) {
      return `takes ${Math.round(growthBytes / 1024 ** 2)} MiB of memory`;
    }
    return undefined;
  } finally {
    clearTimeout(timer);
    loop.stop();
    rmSync(path, { recursive: true, force: true });
  }
}

/** A machine that has other work may take long over a file; an end is what counts. */
const HANG_MS = 300_000;
/** Much more than an import of a file of 100 KB takes, garbage included. */
const GROWTH_BYTES_MAX = 512 * 1024 ** 2;
const UNPACKED_BYTES_MAX = 8 * 1024 ** 2;
const NAME = 'release.zip';

async function importBytes(bytes: Buffer, path: string): Promise<string | undefined> {
  const file = join(path, NAME);
  writeFileSync(file, bytes);
  const read = (receiver: SourceReceiver): Promise<void> =>
    readSource({
      file:
        bytes.length % 2 === 0 ? Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]) : file,
      includeArchive: bytes.length % 3 === 0,
      unpackedBytesMax: UNPACKED_BYTES_MAX,
      temporaryFolder: join(path, 'temporary'),
      receiver,
      topUp: new TopUp(receiver, new Date('2026-09-01T00:00:00Z')),
      settings: [SETTINGS],
      now: new Date('2026-09-01T00:00:00Z'),
    });
  try {
    // Most files are refused here; to open a store for each would take ten times as long.
    await read(createCollector(() => {}));
  } catch (error) {
    return faultOfError(error);
  }
  const folder = openDataFolder(join(path, 'data'));
  const store = openEditionStore(folder);
  try {
    const report = await importEdition({
      store,
      source: NAME,
      read,
      onProgress: () => {},
      onBuild: () => {},
      keep: 1,
      allowShrink: false,
      stopped: new AbortController().signal,
    });
    return (
      faultOfReport(report) ??
      faultOfEdition(await store.load(report.edition.number)) ??
      verified(folder)
    );
  } catch (error) {
    return faultOfError(error) ?? ((await store.current()) && 'refuses, and publishes an edition');
  } finally {
    await store.close();
  }
}

function faultOfReport({ read, imported, leftOut, warnings }: ImportReport): string | undefined {
  const leftOutCount = Object.values(leftOut).reduce((sum, { count }) => sum + count, 0);
  if (read !== imported + leftOutCount) return 'the counts of the report do not add up';
  const tallies = [...Object.values(leftOut), ...Object.values(warnings)];
  const unclear = tallies
    .flatMap(({ examples }) => examples)
    .find((example) => NOT_PRINTABLE.test(example));
  return unclear && `the report has ${JSON.stringify(unclear)}`;
}

function faultOfError(error: unknown): string | undefined {
  if (error instanceof SourceError) return faultOfMessage(error.message);
  return `throws ${error instanceof Error ? error.stack : String(error)}`;
}

/** Control characters, line ends, and what changes the direction of text. */
const NOT_PRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e]/u;
const REMEDY = /\b(?:add|check|fetch|free|give|import|leave|look|make|raise|repeat|try|unpack)\b/i;
const MESSAGE_LENGTH_MAX = 500;

/** A message names the file and what to do, on one line. */
function faultOfMessage(message: string): string | undefined {
  const isGood =
    /release\.zip|standard input/.test(message) &&
    REMEDY.test(message) &&
    !NOT_PRINTABLE.test(message) &&
    message.length <= MESSAGE_LENGTH_MAX;
  return isGood ? undefined : `says ${JSON.stringify(message)}`;
}

/** Every record is a valid Organization. */
function faultOfEdition(arrays: NamedArrays): string | undefined {
  const identity = { number: 1, publishedAt: '2026-09-01T00:00:00.000Z' };
  const edition = openEdition(identity, arrays);
  const rendered = renderEdition(STU3_FACE, edition, SETTINGS);
  for (let row = 0; row < edition.rows.count; row++) {
    const text = encodeJson(rendered.organizationAt(row));
    const { findings, findingsTotal } = decodeJson(Buffer.from(text), STU3.definitions);
    if (findingsTotal > 0) return `publishes ${text}: ${JSON.stringify(findings[0])}`;
  }
  return undefined;
}

function verified(folder: DataFolder): string | undefined {
  const found = [...verifyEditions(folder)].flatMap(({ findings }) => findings);
  return found.length === 0 ? undefined : `publishes what verify refuses: ${found[0]}`;
}

/** The longest time that the event loop stood still by this thread's own work, and memory taken. */
function watchLoop(): { stop(): { stallMs: number; growthBytes: number } } {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const usedAtStart = used();
  let growthBytes = 0;
  let stallMs = 0;
  let lastMs = performance.now();
  let lastUserMs = userMs();
  const look = (): void => {
    const nowMs = performance.now();
    const nowUserMs = userMs();
    // Other programs hold this one up too: what it did not work was not its fault.
    stallMs = Math.max(stallMs, Math.min(nowMs - lastMs, nowUserMs - lastUserMs));
    growthBytes = Math.max(growthBytes, used() - usedAtStart);
    lastMs = nowMs;
    lastUserMs = nowUserMs;
  };
  const timer = setInterval(look, MEASURE_EVERY_MS);
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return { stallMs, growthBytes };
    },
  };
}

const MEASURE_EVERY_MS = 5;
