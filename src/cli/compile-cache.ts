/** Keeps the compiled code of the program between its runs, which halves the time of a start. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * Uses the cache folder of the systemd unit or of the user. Node runs the code in this folder, so
 * only this user may be able to write to it. Without such a folder, the program starts more slowly.
 * The variables `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` of Node still apply:
 * https://nodejs.org/api/module.html#module-compile-cache
 */
export function keepCompiledCode(environment: NodeJS.ProcessEnv): void {
  if (environment.NODE_COMPILE_CACHE) return;
  let folder: string;
  try {
    folder = join(cacheFolder(environment), 'compiled');
    if (!isAbsolute(folder)) return;
    makeFolder(folder);
    // A user who can write to the parent folder can replace this folder.
    if (!isOwn(folder) || !isOwn(dirname(folder))) return;
  } catch {
    return;
  }
  enableCompileCache(folder);
  // Threads read this variable when they start.
  environment.NODE_COMPILE_CACHE = folder;
}

/** The recursive form of `mkdirSync` never returns below a dangling link or in `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Throws for a user without a home folder. */
function cacheFolder({ CACHE_DIRECTORY, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string {
  return CACHE_DIRECTORY || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'gazetteer');
}

/** Whether only this user can write to the folder. Windows has neither user numbers nor modes. */
function isOwn(folder: string): boolean {
  const user = process.geteuid?.();
  const { uid, mode } = lstatSync(folder);
  return user === undefined || (uid === user && (mode & OTHERS_WRITE) === 0);
}

const OTHERS_WRITE = 0o022;
