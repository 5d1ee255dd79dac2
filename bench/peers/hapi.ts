/** Builds and starts the HAPI FHIR JPA server in bench/peers/hapi, with libraries of Maven Central. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { librariesOf, whyNoJava } from '../../scripts/maven.ts';
import { ROOT } from '../data.ts';
import { pinned, SERVER_CORES } from '../machine.ts';
import { endTogether, type Running } from '../server.ts';

/** The longest time for Maven to download 250 MB. */
const DOWNLOAD_MS_MAX = 900_000;

/** The longest time until the server listens. It creates its schema first. */
const START_MS_MAX = 600_000;

const POM = 'bench/peers/hapi/pom.xml';

/** The class path of the server, or why it cannot be built. `scratch` is an empty folder. */
export function buildHapi(scratch: string): { classPath: string } | { missing: string } {
  const missing = whyNoJava();
  if (missing !== undefined) return { missing };
  const libraries = librariesOf(POM, scratch, DOWNLOAD_MS_MAX);
  if (typeof libraries === 'string') return { missing: libraries };
  const classes = join(scratch, 'classes');
  mkdirSync(classes);
  const sources = globSync('bench/peers/hapi/*.java', { cwd: ROOT });
  const words = ['-encoding', 'UTF-8', '-cp', libraries.join(delimiter), '-d', classes];
  const { status, stderr } = spawnSync('javac', [...words, ...sources], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return { classPath: [classes, ...libraries].join(delimiter) };
}

/** The version of HAPI FHIR in the POM. */
export function hapiVersion(): string {
  return /<hapi>(.*)<\/hapi>/.exec(readFileSync(join(ROOT, POM), 'utf8'))?.[1] ?? 'unknown';
}

export interface HapiOptions {
  readonly classPath: string;
  readonly version: 'dstu2' | 'stu3';
  /** The port and the name of an empty database. */
  readonly databasePort: number;
  readonly database: string;
  readonly heap: string;
}

export async function startHapi(options: HapiOptions): Promise<Running> {
  const { classPath, version, databasePort, database, heap } = options;
  const url = `jdbc:postgresql://127.0.0.1:${databasePort}/${database}`;
  const [command = 'java', ...words] = [
    ...pinned(SERVER_CORES),
    'java',
    `-Xmx${heap}`,
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
    '-cp',
    classPath,
    'HapiServer',
    version,
    url,
  ];
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  endTogether(child);
  const exited = once(child, 'exit');
  const listening = once(createInterface(child.stdout), 'line', {
    signal: AbortSignal.timeout(START_MS_MAX),
  });
  const [line] = await Promise.race([
    listening,
    exited.then(() => [`the server ended with ${child.exitCode}`]),
  ]);
  const port = Number(/^listening (\d+)$/.exec(String(line))?.[1]);
  if (Number.isNaN(port)) throw new Error(`HAPI FHIR does not start: ${line}`);
  return {
    process: child,
    port,
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
