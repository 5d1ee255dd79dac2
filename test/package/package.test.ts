/** The npm package: installed into an empty folder, it works without a checkout, and is small. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { type Bill, fullName } from '../../scripts/shipped/bill-of-materials.ts';
import { SOFTWARE } from '../../src/config/version.ts';
import { filesOf, moduleReport, threadsOf } from '../cli/module-report.ts';
import { gazetteer, SAMPLE } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { diskSpaceOf, installPackage, packProject } from './installed-package.ts';
import { licenceTexts, nameOf, packagesInMaps } from './packages-in-maps.ts';
import { run, startDemo } from './run-program.ts';

/** Files of these are copied or contained in copies, so no source map names them. */
const COPIED = ['echarts', 'nhsuk-frontend', 'swagger-ui-dist', 'tslib', 'zrender'].map((name) =>
  nameOf(join(ROOT, 'node_modules', name)),
);

const MEGABYTE = 1_000_000;
const INSTALLED_BYTES_MAX = 20 * MEGABYTE;
const FILES_MAX = 145;
/** Threads read the release from 1 MB, and build the index from 20,000 organisations. */
const RECORDS_FOR_THREADS = 22_000;

const DEPENDENCIES: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
).dependencies;

const tarball = packProject({ after });
const installed = installPackage({ after }, tarball);
const skip = typeof installed === 'string' && installed;

it('npm packs the project', () => assert.ok(existsSync(tarball)));

describe('the installed package', { skip }, () => {
  if (typeof installed === 'string') return;
  const { folder, packages, program } = installed;
  const own = join(packages, 'gazetteer-fhir');

  it('has its version and its help', async () => {
    const version = await run(program, ['--version']);
    assert.deepEqual(version, { code: 0, stdout: `${SOFTWARE.version}\n`, stderr: '' });
    const help = await run(program, ['--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /^ {2}demo /m);
  });

  it('runs with npx, by the name of the package', async () => {
    const { stdout } = await run('npx', ['gazetteer-fhir', '--version'], {}, folder);
    assert.equal(stdout, `${SOFTWARE.version}\n`);
  });

  it('takes at most 20 MB', (context) => {
    const bytes = diskSpaceOf(packages);
    context.diagnostic(`${(bytes / MEGABYTE).toFixed(1)} MB installed`);
    assert.ok(bytes <= INSTALLED_BYTES_MAX, `${bytes} bytes`);
  });

  it('adds only its own commands to the project', () => {
    assert.deepEqual(readdirSync(join(packages, '.bin')), ['gazetteer']);
  });

  it('has compiled code, and no part that is only for development', () => {
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
    assert.equal(manifest.name, 'gazetteer-fhir');
    assert.equal(manifest.engines.node, '>=24.21');
    for (const part of ['scripts', 'devDependencies', 'overrides']) {
      assert.ok(!(part in manifest), part);
    }
    assert.ok(existsSync(join(own, 'dist/main.js')));
    assert.ok(!existsSync(join(own, 'src')));
    const others = readdirSync(packages).filter((name) => !/^\./.test(name));
    assert.deepEqual(others, ['gazetteer-fhir']);
  });

  it('names each package whose code it contains, with a licence', () => {
    const dist = join(own, 'dist');
    const bill: Bill = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'));
    const named = bill.components.map((component) => `${fullName(component)} ${component.version}`);
    const texts = licenceTexts(readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8'));
    const contained = [...packagesInMaps(dist), ...COPIED];
    assert.ok(contained.length > Object.keys(DEPENDENCIES).length);
    for (const name of contained) {
      assert.ok(named.includes(name), `the bill of materials has no ${name}`);
      assert.ok((texts.get(name)?.length ?? 0) > 100, `no licence of ${name}`);
    }
    assert.deepEqual([...texts.keys()], named);
    for (const [name, version] of Object.entries(DEPENDENCIES)) {
      assert.ok(named.includes(`${name} ${version}`), name);
    }
  });

  it('has a valid bill of materials with the hashes of the lockfile', async () => {
    const bill = readFileSync(join(own, 'dist/sbom.cdx.json'), 'utf8');
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    assert.equal(await validator.validate(bill), null);
    const { components }: Bill = JSON.parse(bill);
    for (const { name, hashes = [] } of components) {
      assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/, name);
    }
  });

  it('names the command that installs OpenTelemetry, where a setting needs it', async (context) => {
    const data = join(temporaryFolder(context), 'data');
    const words = ['--data', data, '--port', '0', '--metrics-port', '0'];
    const endpoint = 'http://127.0.0.1:4318';
    const ended = await run(program, ['serve', ...words, '--telemetry-endpoint', endpoint]);
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /not installed\. .*: npm install @opentelemetry\/api@\S+ .*\n$/);
  });

  it('imports a release, and exports it', async (context) => {
    const data = join(temporaryFolder(context), 'data');
    const imported = await run(program, ['import', SAMPLE, '--data', data]);
    assert.equal(imported.code, 0, imported.stderr);
    assert.match(imported.stdout, /Edition 1, .* is now current/);
    const exported = await run(program, ['export', '--format', 'csv', '--data', data]);
    assert.equal(exported.code, 0, exported.stderr);
    assert.match(exported.stdout, /^RTG,/m);
    const ofSource = await gazetteer(['export', '--format', 'csv', '--data', data]);
    assert.equal(exported.stdout, ofSource.stdout);
  });

  it('imports a release that is large enough for threads, as the source does', async (context) => {
    const folder = temporaryFolder(context);
    const release = join(folder, 'release.xml');
    const options = { ...releaseDefaults, records: RECORDS_FOR_THREADS };
    writeFileSync(release, [...generateRelease(options)].join(''));
    const exports: string[] = [];
    for (const runs of [(words: readonly string[]) => run(program, words), gazetteer]) {
      const data = ['--data', join(folder, `data-${exports.length}`)];
      const imported = await runs(['import', release, ...data]);
      assert.equal(imported.code, 0, imported.stderr);
      exports.push((await runs(['export', '--format', 'csv', ...data])).stdout);
    }
    assert.ok(exports[0] === exports[1], 'both imported the same');
  });

  it('runs the demo: searches, pages, charts and order responses', async (context) => {
    const { origin, cwd, output, stop } = await startDemo(context, program);
    const search = await fetch(`${origin}/STU3/Organization?name:contains=leeds&active=true`);
    assert.equal(search.status, 200);
    assert.match(await search.text(), /"total":8\b/);
    const page = await (await fetch(`${origin}/api`)).text();
    for (const [path] of page.matchAll(/\/assets\/[\w-]+\.[\w.-]+/g)) {
      assert.equal((await fetch(origin + path)).status, 200, path);
    }
    for (const path of ['', '/tutorial', '/search?q=back+up', '/examples/directory.py']) {
      assert.equal((await fetch(`${origin}/docs${path}`)).status, 200, path);
    }
    const chart = await fetch(`${origin}/statistics/main-roles.svg`);
    assert.equal(chart.headers.get('content-type'), 'image/svg+xml');
    assert.match(await chart.text(), /<path/);
    assert.match(output(), /The answer was 201/);
    assert.equal(await stop(), 0);
    const backup = join(temporaryFolder(context), 'orders.age');
    const recipient = await identityToRecipient(await generateX25519Identity());
    const data = join(cwd, 'data/demo');
    const words = ['backup', backup, '--data', data, '--recipient', recipient];
    const { code, stderr } = await run(program, words);
    assert.equal(code, 0, stderr);
    assert.match(readFileSync(backup, 'latin1'), /^age-encryption\.org/);
  });

  it('loads few files for a server', async (context) => {
    const report = moduleReport(context);
    const { stop } = await startDemo(context, program, { ...report.environment });
    assert.equal(await stop(), 0);
    const counts = report.threads().map((modules) => filesOf(modules).length);
    context.diagnostic(`files of each thread: ${counts.join(', ')}`);
    assert.ok(threadsOf(report, 'serve-thread.js').length > 0);
    assert.ok(Math.max(...counts) <= FILES_MAX);
  });

  it('says that a database is not reachable', async () => {
    const database = 'postgres://nobody@127.0.0.1:1/none';
    const refused = await run(program, ['editions', '--database-url', database]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /the database is not reachable: nothing listens there/);
  });

  it('is a library, as the guide shows', async () => {
    const guide = readFileSync(join(ROOT, 'docs/how-to/use-the-npm-package.md'), 'utf8');
    const [, example = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];
    writeFileSync(join(folder, 'leeds.mjs'), example);
    cpSync(SAMPLE, join(folder, 'RELEASE.zip'));
    const { stdout, stderr } = await run(process.execPath, ['leeds.mjs'], {}, folder);
    assert.match(
      stdout,
      /^LEEDS TEACHING HOSPITALS NHS TRUST\n8 matches\n(?:\w+ .+\n){6}current \[ 'RR8' \]\n$/,
      stderr,
    );
  });

  it('has the types of the library, and keeps other files private', async () => {
    const use = [
      "import { createDirectory, type SearchBundle } from 'gazetteer-fhir';",
      "const directory = await createDirectory({ release: 'RELEASE.zip', fhirVersion: 'R4' });",
      "export const bundle: SearchBundle<'R4'> = await directory.search('name=leeds');",
      'for await (const { name = "", address } of directory.all()) name + address?.[0]?.city;',
      "const version: string | undefined = (await directory.read('RR8'))?.meta.versionId;",
      '// @ts-expect-error Organizations have no such element.',
      "(await directory.read('RR8'))?.town;",
      '// @ts-expect-error A code is a text.',
      'await directory.read(1);',
    ];
    writeFileSync(join(folder, 'use.mts'), use.join('\n'));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
    const words = [compiler, ...options, 'use.mts'];
    const { code, stdout } = await run(process.execPath, words, {}, folder);
    assert.equal(code, 0, stdout);
    const inner = ['--input-type=module', '-e', "await import('gazetteer-fhir/dist/main.js')"];
    const refused = await run(process.execPath, inner, {}, folder);
    assert.match(refused.stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  it('runs where the Node of the machine is too old', async (context) => {
    const old = join(temporaryFolder(context), 'bin');
    mkdirSync(old);
    writeFileSync(join(old, 'node'), '#!/bin/sh\necho v20.20.2\n', { mode: 0o755 });
    // npm itself runs on the Node of the machine.
    const npm = `#!/bin/sh\nPATH='${process.env.PATH}' exec npm "$@"\n`;
    writeFileSync(join(old, 'npm'), npm, { mode: 0o755 });
    const PATH = `${old}${delimiter}${process.env.PATH}`;
    const { stdout, stderr } = await run(program, ['--version'], { ...process.env, PATH });
    assert.equal(stdout, `${SOFTWARE.version}\n`, stderr);
  });
});
