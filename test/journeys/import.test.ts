/** Imports that must not harm: refused files, kills, full disks; the current edition stays. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { generateRelease, releaseBytes } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { repetitions } from '../campaign.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Ended, gazetteer, SAMPLE, start } from './program.ts';

const OPTIONS = { ...releaseDefaults, records: 400, seed: 7 };
let xml: string;
before(() => {
  xml = [...generateRelease(OPTIONS)].join('');
});

/** The current edition as `gazetteer editions --json` tells it. */
async function current(data: string): Promise<{ number: number; records: number } | undefined> {
  const { stdout } = await runInProcess(['editions', '--json', '--data', data]);
  return JSON.parse(stdout).find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
}

function importFile(file: string, data: string, ...words: string[]): Promise<Ended> {
  return runInProcess(['import', file, '--data', data, ...words]);
}

async function withEdition(context: TestContext): Promise<string> {
  const data = temporaryFolder(context);
  const file = join(temporaryFolder(context), 'release.xml');
  writeFileSync(file, xml);
  const imported = await importFile(file, data);
  assert.equal(imported.code, 0, imported.stderr);
  return data;
}

it('a release comes in every wrapping', async (context) => {
  const folder = temporaryFolder(context);
  const zip: Buffer[] = [];
  for await (const chunk of releaseBytes(OPTIONS, 'zip')) zip.push(Buffer.from(chunk));
  const wrappings: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['release.zip', Buffer.concat(zip)],
    ['release.xml', Buffer.from(xml)],
    ['release.xml.gz', gzipSync(xml)],
  ];
  const reports: unknown[] = [];
  for (const [name, bytes] of wrappings) {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    for (const input of [undefined, bytes]) {
      const data = temporaryFolder(context);
      const report = join(folder, 'report.json');
      const words = [
        'import',
        input === undefined ? file : '-',
        '--data',
        data,
        '--report',
        report,
      ];
      const ended = await (input === undefined ? runInProcess(words) : gazetteer(words, { input }));
      assert.equal(ended.code, 0, `${name}: ${ended.stderr}`);
      const { read, imported, leftOut, warnings } = JSON.parse(readFileSync(report, 'utf8'));
      reports.push({ read, imported, leftOut, warnings });
      assert.deepEqual(readdirSync(join(data, 'editions')), ['000001']);
      assert.deepEqual(filesBelow(join(data, 'temporary')), []);
    }
  }
  assert.equal(reports.length, 6);
  for (const report of reports) assert.deepEqual(report, reports[0]);
});

it('a report adds up: read is imported and left out', async (context) => {
  const folder = temporaryFolder(context);
  const report = join(folder, 'report.json');
  await importFile(SAMPLE, join(folder, 'data'), '--report', report, '--quiet');
  const { read, imported, leftOut, warnings, edition, seconds } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const left = Object.values<{ count: number; examples: string[] }>(leftOut);
  assert.equal(read, imported + left.reduce((sum, { count }) => sum + count, 0));
  for (const { count, examples } of [...left, ...Object.values<(typeof left)[0]>(warnings)]) {
    assert.equal(examples.length, Math.min(10, count));
  }
  assert.equal(edition.records, imported);
  assert.ok(seconds >= 0);
});

it('a report that cannot be written is refused before anything is imported', async (context) => {
  const data = await withEdition(context);
  const file = join(temporaryFolder(context), 'release.xml');
  writeFileSync(file, xml);
  for (const report of [join(data, 'none', 'report.json'), data, file]) {
    const ended = await importFile(file, data, '--report', report);
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /^gazetteer: --report[: ][^\n]+\n$/);
    assert.equal((await current(data))?.number, 1);
  }
  assert.equal(readFileSync(file, 'utf8'), xml);
});

it('what cannot be imported is refused in one line, and the current edition stays', async (context) => {
  const data = await withEdition(context);
  const folder = temporaryFolder(context);
  const shrunk = [...generateRelease({ ...OPTIONS, records: 300, seed: 8 })].join('');
  const cases: readonly (readonly [name: string, content: string | Buffer, message: RegExp])[] = [
    ['truncated.xml', xml.slice(0, xml.length / 2), /.+/],
    ['truncated.xml.gz', gzipSync(xml).subarray(0, 5000), /.+/],
    ['truncated.zip', readFileSync(SAMPLE).subarray(0, 50_000), /.+/],
    ['empty.xml', '', /empty/],
    ['letter.txt', 'Dear reader', /.+/],
    ['other.xml', '<html/>', /.+/],
    ['delta.xml', xml.replace(/(<PublicationType value=")Full/, '$1Delta'), /full/i],
    [
      'stubs.xml',
      xml
        .replaceAll('<Organisation ', '<Organisation refOnly="true" ')
        .replaceAll(/ refOnly="true"(?=[^>]* refOnly)/g, ''),
      /no organisation that can be imported \(left out: reference only: 399, invalid code: 1\)\. Import the release/,
    ],
    ['miscounted.xml', xml.replace(/(<RecordCount value=")\d+/, '$1399'), /399/],
    ['shrunk.xml', shrunk, /--allow-shrink/],
  ];
  for (const [name, content, message] of cases) {
    const file = join(folder, name);
    writeFileSync(file, content);
    const ended = await importFile(file, data);
    assert.equal(ended.code, 1, `${name}: ${ended.stdout}`);
    const lines = ended.stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !/^Building/.test(line));
    assert.equal(lines.length, 1, ended.stderr);
    assert.match(lines[0]!, /^gazetteer: /);
    assert.match(lines[0]!, message);
    assert.equal((await current(data))?.number, 1, name);
    assert.deepEqual(readdirSync(join(data, 'editions')), ['000001']);
  }
  const archive = join(folder, 'HSCOrgRefData_Archive_20260828.xml');
  writeFileSync(archive, xml);
  const closed = await importFile(archive, data);
  assert.equal(closed.code, 1);
  assert.match(closed.stderr, /holds only the archive .*--include-archive\.\n$/);
  const missing = await importFile(join(folder, 'none.zip'), data);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /^gazetteer: .*none\.zip.*\n$/);
  const allowed = await importFile(join(folder, 'shrunk.xml'), data, '--allow-shrink');
  assert.equal(allowed.code, 0, allowed.stderr);
  assert.equal((await current(data))?.number, 2);
});

it('kill -9 at any moment leaves the edition as it was, and the next import works', async (context) => {
  const data = await withEdition(context);
  const folder = temporaryFolder(context);
  const next = join(folder, 'next.xml');
  const changes = join(folder, 'changes.xml');
  const release = [...generateRelease({ ...OPTIONS, revision: 1 })].join('');
  writeFileSync(next, release);
  const whole = performance.now();
  assert.equal((await importFile(next, data)).code, 0);
  const durationMs = performance.now() - whole;
  const fileCount = draftFiles(join(data, 'editions', '000002'));
  for (let round = 1; round <= ROUNDS; round++) {
    const before = await current(data);
    // The next release and changes in turn, both merged with the edition before.
    const isRelease = round % 4 < 2;
    if (!isRelease) writeFileSync(changes, changesOf(release, round));
    const words = isRelease ? [next, '--again'] : [changes];
    const child = start(['import', ...words, '--data', data]);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const part = round / ROUNDS;
    if (round % 2 === 0) await killAfter(child, durationMs * part, ended);
    else await killInDraft(child, join(data, 'editions'), Math.floor(fileCount * part), ended);
    const after = await current(data);
    const isNext = after?.number === (before?.number ?? 0) + 1;
    assert.ok(after?.number === before?.number || isNext, 'published whole or not at all');
    assert.equal(after?.records, before?.records);
    const verified = await runInProcess(['verify', '--data', data]);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  }
  assert.equal((await importFile(next, data)).code, 0);
  const kept = readdirSync(join(data, 'editions'));
  assert.ok(
    kept.every((name) => /^\d{6}$/.test(name)),
    kept.join(),
  );
});

/** Rounds of the kill test, half of them spread over the time of an import, half over its files. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? repetitions(4, 12));

async function killAfter(child: ChildProcess, ms: number, ended: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  await ended;
  clearTimeout(timer);
}

/** SIGKILL when the edition that is being made has this number of files. */
async function killInDraft(
  child: ChildProcess,
  editions: string,
  files: number,
  ended: Promise<unknown>,
): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const draft = readdirSync(editions).find((name) => !/^\d{6}$/.test(name));
    if (draft !== undefined && draftFiles(join(editions, draft)) >= files) child.kill('SIGKILL');
    await setImmediate();
  }
  await ended;
}

/** 0 if the folder has just got its final name. */
function draftFiles(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

/** A file of changes with one record, which each round names differently. */
function changesOf(release: string, round: number): string {
  const head = release.slice(0, release.indexOf('<Organisation '));
  const records = release.slice(head.length).split('</Organisation>');
  const record = records[round % 100]!.replace(/<Name>[^<]*/, `<Name>ROUND ${round}`).replace(
    /LastChangeDate value="[^"]*"/,
    'LastChangeDate value="2031-01-01"',
  );
  return (
    head
      .replace('PublicationType value="Full"', 'PublicationType value="Partial"')
      .replace(/RecordCount value="[0-9]+"/, 'RecordCount value="1"') +
    `${record}</Organisation></Organisations></HSCOrgRefData:OrgRefData>`
  );
}

it('a full disk is named, and leaves the edition as it was', async (context) => {
  const data = await withEdition(context);
  const next = join(temporaryFolder(context), 'next.xml');
  writeFileSync(next, [...generateRelease({ ...OPTIONS, revision: 1 })].join(''));
  // The size limit of files stands for a full disk; the signal it sends must be ignored for that.
  const script = `trap '' XFSZ; ulimit -f 8; exec "$@"`;
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', 'src/main.ts'];
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', script, 'bash', ...words, 'import', next, '--data', data, '--quiet'],
    { encoding: 'utf8' },
  );
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^gazetteer: [^\n]+\n$/);
  assert.equal((await current(data))?.number, 1);
  assert.equal((await importFile(next, data)).code, 0);
});

it('an import that is asked to stop leaves everything as it was', async (context) => {
  const data = await withEdition(context);
  const child = start(['import', '-', '--data', data]);
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const exit = new Promise((resolve) => child.on('exit', resolve));
  child.stdin?.on('error', () => {
    // The program ends before it has read everything.
  });
  child.stdin?.write(xml.slice(0, xml.length / 2));
  while (!readdirSync(join(data, 'editions')).some((name) => name.startsWith('.draft'))) {
    await setImmediate();
  }
  child.kill('SIGTERM');
  assert.equal(await exit, 1);
  assert.match(stderr, /The import was stopped\. The directory has not changed\.\n$/);
  assert.equal((await current(data))?.number, 1);
});

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  } catch {
    return [];
  }
}
