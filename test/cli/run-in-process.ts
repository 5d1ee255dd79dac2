/** Runs commands of the program inside the test's own process: many in the time that one start takes. */
import { Readable, Writable } from 'node:stream';
import type { Command } from '../../src/cli/parts/command.ts';
import { runProgram } from '../../src/cli/program.ts';
import type { Ended } from '../journeys/program.ts';

/** What ends by itself: nothing stops it, and it has nothing to read. */
export async function runInProcess(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  commands?: readonly Command[],
  isTerminal = false,
): Promise<Ended> {
  const output = Object.assign(new Collected(), { isTTY: isTerminal });
  const errors = new Collected();
  const surroundings = {
    program: '',
    environment,
    streams: { input: Readable.from([]), output, errors },
    stopped: new AbortController().signal,
    onReload: () => {},
  };
  const code = await runProgram(words, surroundings, commands);
  return { code, stdout: output.text, stderr: errors.text };
}

/** What a person sees: standard output is a terminal. */
export function runOnTerminal(words: readonly string[]): Promise<Ended> {
  return runInProcess(words, {}, undefined, true);
}

class Collected extends Writable {
  #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
