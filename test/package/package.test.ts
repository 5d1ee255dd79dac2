/** The npm package: installed into an empty folder, it works without a checkout, and is small. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it, type TestContext } from 'node:test';
import { SOFTWARE } from '../../src/version.ts';
import { type Ended, SAMPLE } from '../journeys/program.ts';
import { freePort } from '../loopback.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import {
  diskSpaceOf,
  installPackage,
  packProject,
  RUNTIMES,
  withoutRuntime,
} from './installed-package.ts';

const MEGABYTE = 1_000_000;
const INSTALLED_BYTES_MAX = 40 * MEGABYTE;

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

  it('takes at most 40 MB besides the runtime', (context) => {
    const runtimes = RUNTIMES.map((name) => join(packages, name)).filter((path) =>
      existsSync(path),
    );
    const bytes = runtimes.reduce((rest, path) => rest - diskSpaceOf(path), diskSpaceOf(packages));
    context.diagnostic(`${(bytes / MEGABYTE).toFixed(1)} MB installed`);
    assert.ok(bytes <= INSTALLED_BYTES_MAX, `${bytes} bytes`);
  });

  it('has compiled code, and no part that is only for development', () => {
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
    assert.equal(manifest.name, 'gazetteer-fhir');
    for (const part of ['scripts', 'devDependencies', 'overrides']) {
      assert.ok(!(part in manifest), part);
    }
    assert.ok(existsSync(join(own, 'dist/main.js')));
    assert.ok(!existsSync(join(own, 'src')));
    for (const library of ['echarts', 'swagger-ui-dist', 'nhsuk-frontend', 'zod']) {
      assert.ok(!existsSync(join(packages, library)), library);
    }
  });

  it('imports a release, and exports it', async (context) => {
    const data = join(temporaryFolder(context), 'data');
    const imported = await run(program, ['import', SAMPLE, '--data', data]);
    assert.equal(imported.code, 0, imported.stderr);
    assert.match(imported.stdout, /Edition 1, .* is now current/);
    const exported = await run(program, ['export', '--format', 'csv', '--data', data]);
    assert.equal(exported.code, 0, exported.stderr);
    assert.match(exported.stdout, /^RTG,/m);
  });

  it('runs the demo: searches, pages, charts and order responses', async (context) => {
    const { origin, output, stop } = await startDemo(context, program);
    const search = await fetch(`${origin}/STU3/Organization?name:contains=leeds&active=true`);
    assert.equal(search.status, 200);
    assert.match(await search.text(), /"total":8\b/);
    const page = await (await fetch(`${origin}/api`)).text();
    for (const [path] of page.matchAll(/\/assets\/[\w.-]+/g)) {
      assert.equal((await fetch(origin + path)).status, 200, path);
    }
    const chart = await fetch(`${origin}/statistics/main-roles.svg`);
    assert.equal(chart.headers.get('content-type'), 'image/svg+xml');
    assert.match(await chart.text(), /<path/);
    assert.match(output(), /The answer was 201/);
    assert.equal(await stop(), 0);
  });

  it('is a library, as the guide shows', async () => {
    const guide = readFileSync(join(ROOT, 'docs/how-to/use-the-npm-package.md'), 'utf8');
    const [, example = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];
    writeFileSync(join(folder, 'leeds.mjs'), example);
    cpSync(SAMPLE, join(folder, 'RELEASE.zip'));
    const { stdout, stderr } = await run(process.execPath, ['leeds.mjs'], {}, folder);
    assert.match(
      stdout,
      /^LEEDS TEACHING HOSPITALS NHS TRUST\n8 matches\n(?:\w+ .+\n){5}$/,
      stderr,
    );
  });

  it('has the types of the library, and keeps other files private', async () => {
    const use = [
      "import { createDirectory, type SearchBundle } from 'gazetteer-fhir';",
      "const directory = await createDirectory({ release: 'RELEASE.zip', fhirVersion: 'R4' });",
      "export const bundle: SearchBundle = await directory.search('name=leeds');",
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

  it('runs on the Node of the machine if npm installed none with it', async (context) => {
    const { program, path } = withoutRuntime(context, installed);
    const { stdout } = await run(program, ['--version'], { PATH: path });
    assert.equal(stdout, `${SOFTWARE.version}\n`);
  });

  it('names the remedy if the Node of the machine is too old', async (context) => {
    const { program, path } = withoutRuntime(context, installed, 'v20.20.2');
    const { code, stderr } = await run(program, ['--version'], { PATH: path });
    assert.equal(code, 1);
    assert.match(stderr, /cannot use v20\.20\.2: install Node 24\.21 or newer/);
  });
});

async function run(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd = '.',
): Promise<Ended> {
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

/** Resolves when the demo has shown all its requests. */
async function startDemo(context: TestContext, program: string) {
  const port = await freePort();
  const child: ChildProcess = spawn(program, ['demo', '--port', String(port)], {
    cwd: temporaryFolder(context),
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(child, 'exit');
  // As Ctrl+C does: the signal reaches every process of the command.
  const signal = (name: NodeJS.Signals) => child.pid && process.kill(-child.pid, name);
  context.after(() => {
    if (child.exitCode === null && child.signalCode === null) signal('SIGKILL');
  });
  let written = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      written += piece;
      if (/Ctrl\+C/.test(written)) resolve();
    });
    exited.then(() => reject(new Error(`the demo ended: ${written}`)));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    output: () => written,
    stop: async () => {
      signal('SIGINT');
      const [code] = await exited;
      return code;
    },
  };
}
