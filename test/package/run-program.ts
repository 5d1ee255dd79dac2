/** Runs an installed or unpacked program, as its users do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Ended } from '../journeys/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The Node of this test comes first. */
export const PATH_WITH_RUNTIME = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;

export async function run(
  program: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  cwd = '.',
): Promise<Ended> {
  const env = { PATH: PATH_WITH_RUNTIME, ...environment };
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

export interface Started {
  readonly origin: string;
  /** The folder that it runs in. */
  readonly cwd: string;
  readonly output: () => string;
  /** Returns the exit code. */
  readonly stop: () => Promise<number>;
}

/** Resolves when the demo has shown all its requests. */
export async function startDemo(
  context: TestContext,
  program: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const command = [program, 'demo', '--port', '0'];
  return await start(context, command, /http:\/\/localhost:(\d+)\/[\s\S]*Ctrl\+C/, environment);
}

/** Resolves when the server listens. */
export async function startServer(
  context: TestContext,
  program: string,
  data: string,
): Promise<Started> {
  const command = [program, 'serve', '--data', data, '--port', '0', '--metrics-port', '0'];
  return await start(context, command, /"port":(\d+)[^\n]*"msg":"listening"/, {});
}

/** `ready` matches what the program prints when it is ready, and its port. */
async function start(
  context: TestContext,
  [program = '', ...words]: readonly string[],
  ready: RegExp,
  environment: Readonly<Record<string, string>>,
): Promise<Started> {
  const cwd = temporaryFolder(context);
  const child: ChildProcess = spawn(program, words, {
    cwd,
    env: { PATH: PATH_WITH_RUNTIME, ...environment },
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
      if (ready.test(written)) resolve();
    });
    exited.then(() => reject(new Error(`it ended: ${written}`)));
  });
  return {
    origin: `http://127.0.0.1:${ready.exec(written)?.[1]}`,
    cwd,
    output: () => written,
    stop: async () => {
      signal('SIGINT');
      const [code] = await exited;
      return code;
    },
  };
}
