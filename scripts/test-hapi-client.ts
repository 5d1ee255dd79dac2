/**
 * Tests the server with the Java client of HAPI FHIR: test/hapi-client/. It needs a JDK and Maven,
 * and Maven needs the network the first time. If something is missing, it says what, and succeeds.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The oldest version that the libraries run on. */
const JAVA_VERSION_MIN = 17;

/** The longest time that Maven gets to download 60 MB. */
const DOWNLOAD_MS_MAX = 300_000;

const CLASS_PATH_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-hapi-client-'));
try {
  const libraries = whyNoJava() ?? librariesIn(join(folder, 'class-path'));
  if (Array.isArray(libraries)) process.exitCode = testWith(libraries);
  else console.log(`Skipped test/hapi-client: ${libraries}.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function whyNoJava(): string | undefined {
  for (const program of ['java', 'javac', 'mvn']) {
    const { status } = spawnSync(program, ['-version']);
    if (status !== 0)
      return `there is no ${program}; install Maven, and a JDK of version ${JAVA_VERSION_MIN} or newer`;
  }
  const { stdout, stderr } = spawnSync('javac', ['-version'], { encoding: 'utf8' });
  const [name = 'of an unknown version', version] = /javac (\d+).*/.exec(stdout + stderr) ?? [];
  if (Number(version) >= JAVA_VERSION_MIN) return undefined;
  return `the JDK is ${name}; install version ${JAVA_VERSION_MIN} or newer`;
}

/** The paths of the libraries in Maven's own folder, or why Maven cannot get them. */
function librariesIn(file: string): string[] | string {
  const { status, stdout, error } = spawnSync(
    'mvn',
    ['-q', '-B', '-f', 'test/hapi-client/pom.xml', CLASS_PATH_GOAL, `-Dmdep.outputFile=${file}`],
    { cwd: root, encoding: 'utf8', timeout: DOWNLOAD_MS_MAX },
  );
  if (status === 0) return readFileSync(file, 'utf8').trim().split(delimiter);
  const [reason] = /\[ERROR\] .*/.exec(stdout) ?? [error?.message ?? `exit code ${status}`];
  return `Maven cannot get the libraries of HAPI FHIR (${reason})`;
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
