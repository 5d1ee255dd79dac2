/** A start loads only the modules that it needs, because loading modules is most of its time. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { gazetteer, SAMPLE, serve } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { filesOf, moduleReport, threadsOf } from './module-report.ts';

// A bundle does not show which modules a start loads.
const bundle = process.env.TEST_PROGRAM;
before(() => delete process.env.TEST_PROGRAM);
after(() => bundle !== undefined && Reflect.set(process.env, 'TEST_PROGRAM', bundle));

/** The client of `fetch`: an import of `node:http` loads it too. */
const FETCH = 'NativeModule internal/deps/undici/undici';

function assertLoads(modules: readonly string[], filesMax: number, unneeded: RegExp): void {
  const files = filesOf(modules);
  assert.ok(files.length <= filesMax, `${files.length} files`);
  const found = files.filter((name) => unneeded.test(name));
  assert.deepEqual(found, []);
  assert.ok(modules.includes('NativeModule fs'), 'the modules inside Node are reported');
  assert.ok(!modules.includes(FETCH), FETCH);
}

const COMMANDS = [
  {
    words: ['--version'],
    filesMax: 130,
    unneeded:
      /\/src\/(?!cli|config|main|fhir\/request\/(?:unknown-name|edit-distance|system-reason))/,
  },
  {
    words: ['token', '--scope', 'system/OrderResponse.*', '--make-folder'],
    filesMax: 325,
    unneeded: /\/src\/(?:sources|server|telemetry|web)\/|\/node_modules\/(?:pino|yauzl)\//,
  },
  {
    words: ['import', SAMPLE, '--quiet'],
    filesMax: 390,
    unneeded: /\/src\/(?:auth|server|web)\/|\/node_modules\/(?:jose|nunjucks|pg|pino)\//,
  },
];

for (const { words, filesMax, unneeded } of COMMANDS) {
  it(`gazetteer ${words[0]} loads only its own modules`, async (context) => {
    const report = moduleReport(context);
    const GAZETTEER_DATA = join(temporaryFolder(context), 'data');
    const options = { environment: { ...report.environment, GAZETTEER_DATA } };
    const { code, stderr } = await gazetteer(words, options);
    assert.equal(code, 0, stderr);
    const [main = []] = threadsOf(report, 'main.ts');
    assertLoads(main, filesMax, unneeded);
  });
}

it('the threads of a server load only their own modules', async (context) => {
  const data = join(temporaryFolder(context), 'data');
  await gazetteer(['import', SAMPLE, '--quiet', '--data', data]);
  const report = moduleReport(context);
  const { environment } = report;
  const { origin, stop } = await serve(context, ['--data', data], { environment });
  assert.equal((await fetch(`${origin}/STU3/metadata`)).status, 200);
  assert.equal(await stop(), 0);
  const [main = []] = threadsOf(report, 'main.ts');
  assertLoads(
    main,
    435,
    /\/src\/(?:web\/(?!parts\/logo)|interfaces\/stu3)|\/node_modules\/(?:nunjucks|pg)\//,
  );
  assert.ok(!main.includes('NativeModule tls'));
  const serving = threadsOf(report, 'serve-thread.ts');
  assert.ok(serving.length > 0);
  for (const names of serving) {
    assertLoads(names, 700, /\/node_modules\/(?:ajv|commander|echarts|pg|zod)\//);
  }
});
