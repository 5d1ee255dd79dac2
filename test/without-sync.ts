/**
 * Loaded before a test file: `fsync` returns at once in its process. What a test writes need not
 * survive a crash of the machine. The programs that a test starts do wait for the disk.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

fs.fsyncSync = (file) => void fs.fstatSync(file);
fs.fdatasyncSync = fs.fsyncSync;
Reflect.set(fs, 'fsync', (file: number, done: fs.NoParamCallback) => fs.fstat(file, done));
syncBuiltinESMExports();
