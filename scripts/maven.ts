/** Checks whether this machine can build the Java programs, and gets their libraries. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The oldest version that the libraries run on. */
const JAVA_VERSION_MIN = 17;

const CLASS_PATH_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';

/** What is missing to build a Java program. Undefined if nothing is missing. */
export function whyNoJava(): string | undefined {
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

/**
 * The paths of the libraries of a POM in the local repository of Maven, or the reason why Maven cannot
 * get them. `scratch` is a folder for a file that Maven writes.
 */
export function librariesOf(pom: string, scratch: string, timeout: number): string[] | string {
  const file = join(scratch, 'class-path');
  const { status, stdout, error } = spawnSync(
    'mvn',
    ['-q', '-B', '-f', pom, CLASS_PATH_GOAL, `-Dmdep.outputFile=${file}`],
    { cwd: ROOT, encoding: 'utf8', timeout },
  );
  if (status === 0) return readFileSync(file, 'utf8').trim().split(delimiter);
  const [reason] = /\[ERROR\] .*/.exec(stdout) ?? [error?.message ?? `exit code ${status}`];
  return `Maven cannot get the libraries of HAPI FHIR (${reason})`;
}
