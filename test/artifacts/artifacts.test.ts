/** The artefacts of a release: the same from every clone, and their folder runs without Node. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { PLATFORMS } from '../../scripts/artifacts/runtimes.ts';
import type { Bill } from '../../scripts/shipped/bill-of-materials.ts';
import { SOFTWARE } from '../../src/config/version.ts';
import { mustRun } from '../debian.ts';
import { commandsOf } from '../documents/commands.ts';
import { SAMPLE } from '../journeys/program.ts';
import { ownerOfSuite } from '../owner.ts';
import { installPackage } from '../package/installed-package.ts';
import { nameOf } from '../package/packages-in-maps.ts';
import { run, startDemo, startServer } from '../package/run-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { artifactsOfClone, checksumsOf } from './clones.ts';
import { makeReadOnly, statesIn } from './read-only.ts';

const BYTES_MAX = 120_000_000;
const NAME = `gazetteer-${SOFTWARE.version}`;
/** The programs of the machine cannot be found. */
const NO_PATH = { PATH: '' };

const owner = ownerOfSuite();
const [first, second] = await Promise.all([artifactsOfClone(owner, 0), artifactsOfClone(owner, 2)]);
const isSkipped = (name: string) => first.output.includes(`Skipped ${name}: `);

describe('the artefacts of two clones', () => {
  it('are the same, byte for byte', () => {
    const sums = checksumsOf(first);
    assert.deepEqual(checksumsOf(second), sums);
    assert.deepEqual(
      Object.keys(sums),
      readdirSync(first.folder).filter((name) => name in sums),
    );
  });

  for (const name of [
    `gazetteer-fhir-${SOFTWARE.version}.tgz`,
    `${NAME}-documents.tar.gz`,
    ...PLATFORMS.map((platform) => `${NAME}-${platform}.tar.gz`),
  ]) {
    const skip = isSkipped(name.replace(/\.tar\.gz$/, '')) && 'npm cannot reach its registry';
    it(`have ${name}, which is small, and its bill of materials`, { skip }, () => {
      const { size } = statSync(join(first.folder, name));
      assert.ok(size <= BYTES_MAX, `${size} bytes`);
      assert.ok(checksumsOf(first)[name.replace(/\.(tgz|tar\.gz)$/, '.sbom.cdx.json')]);
    });
  }
});

it('the npm package can be installed', async (context) => {
  const file = join(first.folder, `gazetteer-fhir-${SOFTWARE.version}.tgz`);
  const installed = installPackage(context, file);
  if (typeof installed === 'string') context.skip(installed);
  else assert.equal((await run(installed.program, ['--version'])).stdout, `${SOFTWARE.version}\n`);
});

describe('the folder for this machine', {
  skip: process.platform !== 'linux' && 'there is no folder for Linux on this system',
}, () => {
  const platform = `linux-${process.arch}`;
  const skip = isSkipped(`${NAME}-${platform}`) && 'npm cannot reach its registry';
  const parent = temporaryFolder({ after });
  const folder = join(parent, `${NAME}-${platform}`);
  const program = join(parent, 'gazetteer/bin/gazetteer');

  it('is checked and unpacked by the commands of the manual', { skip }, () => {
    const page = commandsOf('docs/how-to/install-without-npm.md').map(({ text }) => text);
    const commands = page.filter((text) => /^(sha256sum|tar|ln) /.test(text));
    assert.equal(commands.length, 3);
    assert.ok(page.includes('/opt/gazetteer/bin/gazetteer demo'));
    for (const command of commands) {
      const here = command.replaceAll('/opt', parent).replaceAll('linux-x64', platform);
      mustRun('sh', ['-euc', `cd '${first.folder}'; ${here}`]);
    }
    assert.deepEqual(readdirSync(parent).sort(), ['gazetteer', `${NAME}-${platform}`]);
    assert.equal(realpathSync(join(parent, 'gazetteer')), realpathSync(folder));
  });

  it('names its Node in the bill of materials, and has its licence', { skip }, () => {
    const dist = join(folder, 'dist');
    const bill: Bill = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'));
    const node = bill.components.find(({ cpe }) => cpe?.includes(':nodejs:'));
    const [name = ''] = readdirSync(join(folder, 'node_modules')).filter(
      (entry) => entry !== '.bin',
    );
    assert.equal(`${node?.name} ${node?.version}`, nameOf(join(folder, 'node_modules', name)));
    const licences = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    assert.match(licences, /Node\.js is licensed for use as follows/);
  });

  it('runs without a PATH', { skip }, async () => {
    const version = await run(program, ['--version'], NO_PATH);
    assert.deepEqual(version, { code: 0, stdout: `${SOFTWARE.version}\n`, stderr: '' });
  });

  it('runs the demo without a PATH', { skip }, async (context) => {
    const { origin, stop } = await startDemo(context, program, NO_PATH);
    const search = await fetch(`${origin}/STU3/Organization?name:contains=leeds&active=true`);
    assert.match(await search.text(), /"total":8\b/);
    assert.equal((await fetch(`${origin}/docs`)).status, 200);
    assert.equal(await stop(), 0);
  });

  it('serves from a folder that nobody can write', { skip }, async (context) => {
    const start = makeReadOnly(context, parent, program);
    const before = statesIn(folder);
    const data = join(temporaryFolder(context), 'data');
    const imported = await run(start, ['import', SAMPLE, '--data', data]);
    assert.equal(imported.code, 0, imported.stderr);
    const { origin, stop } = await startServer(context, start, data);
    assert.equal((await fetch(`${origin}/STU3/Organization/RR8`)).status, 200);
    assert.equal((await fetch(`${origin}/docs`)).status, 200);
    assert.equal(await stop(), 0);
    assert.deepEqual(statesIn(folder), before);
  });
});
