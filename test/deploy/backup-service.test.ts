/** The service for systemd that backs up every night: its lines write a backup and remove old ones. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { keptEnvironment } from '../journeys/program.ts';
import { createOperation, openStore } from '../storage/repository-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

it('a backup has the time in its name, and replaces those that are too old', (context) => {
  const folder = temporaryFolder(context);
  const data = openDataFolder(join(folder, 'data'));
  const store = openStore(data);
  store.runBatch([createOperation('a', 'one')]);
  store.close();
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  for (const name of ['orders-2026-01-01T020000.backup', 'notes.txt']) {
    writeFileSync(join(backups, name), '');
    utimesSync(join(backups, name), 0, 0);
  }
  const unit = readFileSync(join(ROOT, 'deploy/gazetteer-backup.service'), 'utf8');
  for (const name of ['ExecStart', 'ExecStartPost']) {
    const [, script = ''] = new RegExp(`^${name}=/bin/sh -c '(.*)'$`, 'm').exec(unit) ?? [];
    const here = script
      .replaceAll('%%', '%')
      .replaceAll('$$', () => '$')
      .replace('/opt/gazetteer/', ROOT)
      .replace('/etc/gazetteer/config.json', join(ROOT, 'deploy/config.json'))
      .replace('/var/lib/gazetteer', data.path);
    const { status, stderr } = spawnSync('/bin/sh', ['-c', here], {
      env: { ...keptEnvironment(), BACKUPS: backups, KEPT_DAYS: '14' },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  }
  assert.match(
    readdirSync(backups).sort().join(),
    /^notes\.txt,orders-(?!2026-01-01T02)\S+\.backup$/,
  );
});
