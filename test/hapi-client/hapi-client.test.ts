/**
 * The program as the Java client of HAPI FHIR sees it: https://hapifhir.io
 * `npm run test:hapi-client` compiles the Java program and names its class path.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { it, type TestContext } from 'node:test';
import { releaseBytes } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { writeFiles } from '../directory/practitioners/practitioner-files.ts';
import { gazetteer, serve } from '../journeys/program.ts';
import { tokenFor } from '../journeys/token.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';

it('the client of HAPI FHIR', async (context) => {
  const { base, token } = await serveGenerated(context);
  const classPath = process.env.HAPI_CLASS_PATH ?? '';
  const java = spawn('java', ['-cp', classPath, 'HapiClient', base, token]);
  const exited = once(java, 'exit');
  const errors = text(java.stderr);
  for await (const line of createInterface({ input: java.stdout })) {
    const { name, problem }: { name: string; problem?: string } = JSON.parse(line);
    await context.test(name, () => {
      if (problem !== undefined) assert.fail(problem);
    });
  }
  const [code] = await exited;
  assert.equal(code, 0, await errors);
});

/** A server with invented organisations, postcodes and practitioners, at the address that its links have. */
async function serveGenerated(context: TestContext): Promise<{ base: string; token: string }> {
  const folder = temporaryFolder(context);
  const [data, release] = [join(folder, 'data'), join(folder, 'release.zip')];
  await writeFile(release, releaseBytes({ ...releaseDefaults, records: 400 }, 'zip'));
  const imported = await gazetteer(['import', release, '--data', data, '--quiet']);
  assert.equal(imported.code, 0, imported.stderr);
  for (const words of [
    ['import-postcodes', join(ROOT, 'sample', 'postcodes.zip')],
    ['import-practitioners', ...writeFiles(join(folder, 'reports'))],
  ]) {
    const { code, stderr } = await gazetteer([...words, '--data', data, '--quiet']);
    assert.equal(code, 0, stderr);
  }
  const scopes = ['OrderResponse', 'Subscription'].map((type) => `system/${type}.*`);
  const token = await tokenFor(data, ...scopes.flatMap((scope) => ['--scope', scope]));
  const { port } = await serve(context, [
    '--data',
    data,
    '--threads',
    '2',
    '--orders-allow-delete',
    '--subscriptions-allowed-hosts',
    '127.0.0.1',
    '--directory-share-practitioners',
  ]);
  return { base: `http://localhost:${port}`, token };
}
