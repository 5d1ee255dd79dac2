/** Counts what a program does to files and databases, and lets a test step in before any of it. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const FILE_STEPS = [
  'mkdirSync',
  'openSync',
  'fchmodSync',
  'writeSync',
  'fsyncSync',
  'closeSync',
  'writeFileSync',
  'renameSync',
  'readdirSync',
  'rmSync',
] as const;

/** Runs `action`; before each of its steps `onStep` gets the step's name and number, from 1. */
export function withSteps<Result>(
  onStep: (name: string, step: number) => void,
  action: () => Result,
): Result {
  let step = 0;
  const undo: (() => void)[] = [];
  const watch = (target: object, name: string, label: (args: unknown[]) => string) => {
    const original: unknown = Reflect.get(target, name);
    if (typeof original !== 'function') {
      throw new Error(`There is no ${name} to watch.`);
    }
    Reflect.set(target, name, function watched(this: unknown, ...args: unknown[]) {
      step++;
      onStep(label(args), step);
      return Reflect.apply(original, this, args);
    });
    undo.push(() => Reflect.set(target, name, original));
  };
  for (const name of FILE_STEPS) {
    watch(fs, name, () => name);
  }
  watch(DatabaseSync.prototype, 'exec', ([sql]) => String(sql));
  watch(StatementSync.prototype, 'run', () => 'run');
  syncBuiltinESMExports();
  try {
    return action();
  } finally {
    for (const restore of undo) {
      restore();
    }
    syncBuiltinESMExports();
  }
}
