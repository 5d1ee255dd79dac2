/**
 * Makes the files of a release from the commit of this checkout: `npm run release:artifacts`. The same
 * commit gives the same bytes: file times are those of the commit, and the order, owners and modes of
 * files are fixed.
 *
 * `-- --output FOLDER` names the empty folder of the files (default: `artifacts`). `-- --commit` makes
 * them of a commit without a tag.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { extract } from 'tar';
import { SOFTWARE } from '../../src/config/version.ts';
import { packageFolder } from '../../src/web/parts/libraries.ts';
import { buildSite } from '../docs/build-site.ts';
import { BILL, describeShipped } from '../shipped/describe.ts';
import { writeArchive } from './archive.ts';
import { writeChecksums } from './checksums.ts';
import { buildImage } from './image.ts';
import { whyNoRelease } from './release-commit.ts';
import { fetchRuntime, PLATFORMS, whyUnreachable } from './runtimes.ts';
import { layOut } from './standalone-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NAME = `gazetteer-${SOFTWARE.version}`;
const PACKAGE = `gazetteer-fhir-${SOFTWARE.version}`;

const { values } = parseArgs({
  options: {
    output: { type: 'string', default: 'artifacts' },
    commit: { type: 'boolean', default: false },
  },
});
const out = resolve(values.output);
/** Becomes the folder of the artefacts when all of them are there. */
const draft = `${out}.draft`;
const refusal = whyNoRelease(ROOT, values.commit) ?? whyNotEmpty();
if (refusal === undefined) await makeArtifacts();
else {
  console.error(refusal);
  process.exitCode = 2;
}

function whyNotEmpty(): string | undefined {
  if (!existsSync(out) || readdirSync(out).length === 0) return undefined;
  return `${out} has files. Name an empty folder with --output.`;
}

async function makeArtifacts(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'gazetteer-artifacts-'));
  try {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    const time = timeOfCommit();
    const program = await packPackage(work, time);
    await all([
      packDocuments(work, time),
      ...PLATFORMS.map((platform) => packFolder(work, program, platform, time)),
    ]);
    await packImage(work, time);
    await writeChecksums(draft);
    if (existsSync(out)) rmdirSync(out);
    renameSync(draft, out);
    console.log(`${readdirSync(out).length} files are in ${out}.`);
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Rejects after all have ended, because they share folders that are then removed. */
async function all(tasks: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(tasks);
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Of the commit, so that all who make the artefacts get the same. */
function timeOfCommit(): Date {
  const words = ['log', '-1', '--format=%ct'];
  return new Date(Number(execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' })) * 1000);
}

/** npm decides what is in the package. Returns the folder of its content. */
async function packPackage(work: string, time: Date): Promise<string> {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', work], { cwd: ROOT });
  const packed = join(work, 'packed');
  mkdirSync(packed);
  await extract({ file: join(work, `${PACKAGE}.tgz`), cwd: packed });
  const program = join(packed, 'package');
  // Packed again, because the times and the compression of npm differ from version to version.
  await pack(`${PACKAGE}.tgz`, program, 'package', time);
  copyFileSync(join(program, 'dist', BILL), join(draft, `${PACKAGE}.${BILL}`));
  return program;
}

async function packDocuments(work: string, time: Date): Promise<void> {
  const site = join(work, 'site');
  const { metafile } = await buildSite(site);
  // Its style sheet is theirs.
  const copied = [packageFolder('nhsuk-frontend')];
  describeShipped(site, { metafile, source: ROOT, copied });
  copyFileSync(join(site, BILL), join(draft, `${NAME}-documents.${BILL}`));
  await pack(`${NAME}-documents.tar.gz`, site, `${NAME}-documents`, time);
}

/** A folder to unpack and run. */
async function packFolder(
  work: string,
  program: string,
  platform: string,
  time: Date,
): Promise<void> {
  const name = `${NAME}-${platform}`;
  const folder = join(work, name);
  try {
    const runtime = await fetchRuntime(platform, join(folder, 'node_modules'), work);
    layOut(program, folder, runtime);
  } catch (error) {
    const reason = whyUnreachable(error);
    if (reason === undefined) throw error;
    console.log(`Skipped ${name}: ${reason}.`);
    return;
  }
  await pack(`${name}.tar.gz`, folder, name, time);
  copyFileSync(join(folder, 'dist', BILL), join(draft, `${name}.${BILL}`));
}

/** An archive as of the Open Container Initiative, for `podman load` and registries. */
async function packImage(work: string, time: Date): Promise<void> {
  const platform = `linux-${process.arch}`;
  const name = `${NAME}-image-${platform}`;
  const layout = join(work, 'image');
  const reason = await buildImage(layout, {
    dockerfile: join(ROOT, 'deploy/Dockerfile'),
    context: ROOT,
    tag: `gazetteer:${SOFTWARE.version}`,
    time,
  });
  if (reason !== undefined) {
    console.log(`Skipped ${name}: ${reason}.`);
    return;
  }
  await writeArchive(join(draft, `${name}.oci.tar`), { folder: layout, time });
  console.log(`${name}.oci.tar`);
  copyFileSync(join(draft, `${NAME}-${platform}.${BILL}`), join(draft, `${name}.${BILL}`));
}

async function pack(file: string, folder: string, prefix: string, time: Date): Promise<void> {
  await writeArchive(join(draft, file), { folder, prefix, time });
  console.log(file);
}
