/** The files of the operator: when they are opened and closed. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { zipPieces } from '../../../src/interfaces/answer/zip-pieces.ts';
import { reportNamed } from '../../../src/interfaces/reports/csv/report-table.ts';
import { isSupplied, openSupplied } from '../../../src/interfaces/reports/csv/supplied-reports.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const WITHOUT_PROC = existsSync('/proc/self/fd') ? false : 'there is no /proc';

function openFiles(folder: string): number {
  const targets = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(folder)).length;
}

it('a file is closed when its reader stops early, alone or in a zip', {
  skip: WITHOUT_PROC,
}, async (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'egpcur.csv'), randomBytes(8 * 1024 * 1024));
  const report = reportNamed('egpcur');
  assert.ok(report);
  const pieces = () => openSupplied(report, { folder }).pieces();
  // An answer that is refused never reads its pieces.
  pieces();
  assert.equal(openFiles(folder), 0);
  const zip = zipPieces([{ name: 'egpcur.csv', pieces }], new Date(0));
  for (const source of [pieces(), zip]) {
    for await (const piece of source) {
      if (piece.length > 1000) break;
    }
    while (openFiles(folder) > 0) await new Promise(setImmediate);
  }
});

it('a folder with the name of a file is none', (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'egpcur.csv'));
  assert.equal(isSupplied('egpcur', { folder }), false);
  assert.equal(isSupplied('egpcur', { folder: join(folder, 'none') }), false);
  assert.equal(isSupplied('egpcur', {}), false);
});

it('a symbolic link is followed within the folder, and not out of it', async (context) => {
  const folder = temporaryFolder(context);
  const reports = join(folder, 'reports');
  mkdirSync(join(reports, 'of-2026'), { recursive: true });
  mkdirSync(join(folder, 'reports-of-others'));
  for (const path of [join(folder, 'egpcur.csv'), join(folder, 'reports-of-others/egpcur.csv')]) {
    writeFileSync(path, 'from outside');
    symlinkSync(path, join(reports, 'egpcur.csv'));
    assert.equal(isSupplied('egpcur', { folder: reports }), false, path);
    rmSync(join(reports, 'egpcur.csv'));
  }
  writeFileSync(join(reports, 'of-2026/egpcur.csv'), 'from inside');
  symlinkSync('of-2026/egpcur.csv', join(reports, 'egpcur.csv'));
  // The folder itself may be a link.
  symlinkSync(reports, join(folder, 'current'));
  const report = reportNamed('egpcur');
  assert.ok(report);
  const pieces = await Array.fromAsync(
    openSupplied(report, { folder: join(folder, 'current') }).pieces(),
  );
  assert.equal(Buffer.concat(pieces).toString(), 'from inside');
});
