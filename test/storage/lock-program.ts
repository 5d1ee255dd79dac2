/** A program for tests: takes a lock, says so and keeps it until its input ends; or says why not. */
import { acquireLock, type LockName } from '../../src/storage/files/lock.ts';

const [folder = '', name = ''] = process.argv.slice(2);
try {
  const lock = acquireLock(folder, lockName(name));
  process.stdout.write('held\n');
  process.stdin.resume().on('end', () => lock.release());
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
}

function lockName(text: string): LockName {
  if (text !== 'serve' && text !== 'import') {
    throw new Error(`No such lock: ${text}`);
  }
  return text;
}
