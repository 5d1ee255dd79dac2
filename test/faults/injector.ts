/** Controls injector.c: which file operations of a program fail, and how far its clock is ahead. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { compileLibrary } from './compile-library.ts';

export interface Injector {
  /** Of the program. */
  readonly environment: Readonly<Record<string, string>>;
  /** The faults, in the format of injector.c. An empty text ends all faults. */
  inject(fault: string): void;
  /** How many calls were made to fail so far. */
  hits(): number;
  setClockAhead(seconds: number): void;
}

const CONTROL_BYTES = 4096;
const TEXT_BYTES = 512;
const HITS_AT = 2048;
const SECONDS_AT = 2056;

export function createInjector(context: TestContext): Injector {
  const folder = temporaryFolder(context);
  const library = join(folder, 'injector.so');
  const control = join(folder, 'control');
  compileLibrary('test/faults/injector.c', library);
  writeFileSync(control, Buffer.alloc(CONTROL_BYTES));
  const write = (bytes: Uint8Array, at: number) => {
    const file = openSync(control, 'r+');
    writeSync(file, bytes, 0, bytes.length, at);
    closeSync(file);
  };
  return {
    environment: { LD_PRELOAD: library, FAULTS: control, UV_USE_IO_URING: '0' },
    inject: (fault) => {
      const text = Buffer.alloc(TEXT_BYTES);
      text.write(fault);
      write(text, 0);
    },
    hits: () => readFileSync(control).readInt32LE(HITS_AT),
    setClockAhead: (seconds) =>
      write(new Uint8Array(BigInt64Array.of(BigInt(seconds)).buffer), SECONDS_AT),
  };
}
