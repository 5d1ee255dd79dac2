/**
 * Preloaded into each thread of the program: lists the modules that the thread loads, in a file of the
 * thread in the folder `MODULE_REPORT`.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

// Not one file for all threads: lines that two threads append at once can replace each other.
const file = join(process.env.MODULE_REPORT, `${process.pid}.${threadId}`);
const report = (name) => appendFileSync(file, `${name}\n`);

registerHooks({
  load(url, context, next) {
    report(url);
    return next(url, context);
  },
});
// The modules inside Node, such as "NativeModule internal/deps/undici/undici".
process.on('exit', () => {
  for (const name of process.moduleLoadList) report(name);
});
