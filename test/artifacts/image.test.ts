/** The image of a release: built twice from the same files, its archive has the same bytes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { writeArchive } from '../../scripts/artifacts/archive.ts';
import { buildImage } from '../../scripts/artifacts/image.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const hasPodman = spawnSync('podman', ['info']).status === 0;
const TIME = new Date('2026-11-28T12:00:00Z');

it('an image that is built again has the same bytes', {
  skip: !hasPodman && 'podman does not run here',
}, async (context) => {
  const archives: Buffer[] = [];
  for (const content of ['same', 'same', 'other']) {
    const folder = temporaryFolder(context);
    const files = join(folder, 'files');
    mkdirSync(join(files, 'bin'), { recursive: true });
    writeFileSync(join(files, 'bin/program'), content);
    const dockerfile = join(folder, 'Dockerfile');
    writeFileSync(dockerfile, 'FROM scratch\nCOPY . /opt/\nUSER 10001:10001\nVOLUME /data\n');
    const layout = join(folder, 'layout');
    const tag = 'gazetteer-test:1';
    const image = { dockerfile, context: files, tag, time: TIME };
    assert.equal(await buildImage(layout, image), undefined);
    const archive = join(folder, 'image.oci.tar');
    await writeArchive(archive, { folder: layout, time: TIME });
    archives.push(readFileSync(archive));
  }
  const [first, second, other] = archives;
  assert.deepEqual(first, second);
  assert.notDeepEqual(first, other);
});
