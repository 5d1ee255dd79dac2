/** Counts what a program does to files and databases, and lets a test step in before any of it. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';

const FILE_STEPS = [
  'mkdirSync',
  'openSync',
  'fchmodSync',
  'writeSync',
  'fsync',
  'fsyncSync',
  'closeSync',
  'writeFileSync',
  'renameSync',
  'readdirSync',
  'rmSync',
] as const;

type OnStep = (name: string, step: number) => void;

/** Runs `action`; before each of its steps `onStep` gets the step's name and number, from 1. */
export function withSteps<Result>(onStep: OnStep, action: () => Result): Result {
  const restore = watchSteps(onStep);
  try {
    return action();
  } finally {
    restore();
  }
}

/** Runs an action that ends later, as `withSteps` does. */
export async function withAsyncSteps<Result>(
  onStep: OnStep,
  action: () => Promise<Result>,
): Promise<Result> {
  const restore = watchSteps(onStep);
  try {
    return await action();
  } finally {
    restore();
  }
}

/** The end of a sync comes so many turns of the thread later, as on a slow disk. */
const SYNC_TURNS = 10;

/** Returns a function that ends the watch. The end of an asynchronous sync is a step too. */
function watchSteps(onStep: OnStep): () => void {
  let step = 0;
  const undo: (() => void)[] = [];
  const endLater = async (done: (error: unknown) => void, error: unknown) => {
    for (let turn = 0; turn < SYNC_TURNS; turn++) await setImmediate();
    step++;
    try {
      onStep('fsync ended', step);
    } catch (fault) {
      done(fault);
      return;
    }
    done(error);
  };
  const watch = (target: object, name: string, label: (args: unknown[]) => string) => {
    const original: unknown = Reflect.get(target, name);
    if (typeof original !== 'function') {
      throw new Error(`There is no ${name} to watch.`);
    }
    Reflect.set(target, name, function watched(this: unknown, ...args: unknown[]) {
      step++;
      onStep(label(args), step);
      const done = args.at(-1);
      if (name === 'fsync' && typeof done === 'function') {
        const later = (error: unknown) => void endLater((result) => done(result), error);
        return Reflect.apply(original, this, [args[0], later]);
      }
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
  return () => {
    for (const restore of undo) restore();
    syncBuiltinESMExports();
  };
}
