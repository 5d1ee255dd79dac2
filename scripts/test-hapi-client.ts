/**
 * Tests the server with the Java client of HAPI FHIR: test/hapi-client/. It needs a JDK and Maven,
 * and Maven needs the network the first time. If something is missing, it says what, and succeeds.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { librariesOf, whyNoJava } from './maven.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The longest time that Maven gets to download 60 MB. */
const DOWNLOAD_MS_MAX = 300_000;

const POM = 'test/hapi-client/pom.xml';

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-hapi-client-'));
try {
  const libraries = whyNoJava() ?? librariesOf(POM, folder, DOWNLOAD_MS_MAX);
  if (Array.isArray(libraries)) process.exitCode = testWith(libraries);
  else console.log(`Skipped test/hapi-client: ${libraries}.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function testWith(libraries: readonly string[]): number {
  const sources = globSync('test/hapi-client/*.java', { cwd: root });
  const classes = join(folder, 'classes');
  const options = ['-encoding', 'UTF-8', '-cp', libraries.join(delimiter), '-d', classes];
  return (
    statusOf('javac', [...options, ...sources]) ||
    statusOf(process.execPath, ['scripts/test.ts', 'test/hapi-client/hapi-client.test.ts'], {
      HAPI_CLASS_PATH: [classes, ...libraries].join(delimiter),
    })
  );
}

function statusOf(
  command: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): number {
  const env = { ...process.env, ...variables };
  const { status, error } = spawnSync(command, words, { cwd: root, stdio: 'inherit', env });
  if (error !== undefined) console.error(error.message);
  return status ?? 1;
}
