/** A lock between processes. A killed process does not keep the lock. Plain JavaScript, for Node 20. */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs an action while no other process holds the lock, a file at the path. Takes over a lock whose
 * processes have ended. The action gets a function: it calls the function with the id of each process that
 * works for it and can outlive this one. Calls `onWait` with the id of the holder, if there is one.
 */
export async function withLock(path, onWait, action) {
  const token = randomUUID();
  const draft = `${path}.${token}`;
  const write = (...ids) => {
    // The lock may be the same file under another name.
    rmSync(draft, { force: true });
    writeFileSync(draft, JSON.stringify({ token, ids }));
  };
  try {
    write(process.pid);
    await take(path, draft, onWait);
    try {
      return await action((id) => {
        write(process.pid, id);
        renameSync(draft, path);
      });
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

async function take(path, draft, onWait) {
  for (let waits = 0; ; waits++) {
    try {
      // The lock is never without its content.
      linkSync(draft, path);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = holderOf(path);
    if (holder === undefined) continue;
    if (!holder.ids.some(isAlive) && removeEnded(path, holder.token)) continue;
    if (waits === 0) onWait(holder.ids[0]);
    await delay(100);
  }
}

/** Only one process removes a lock, and only the lock whose processes have ended. */
function removeEnded(path, token) {
  const claim = `${path}.${token}.ended`;
  try {
    writeFileSync(claim, '', { flag: 'wx' });
  } catch {
    return false;
  }
  // Another process may have removed it before the claim, and a third one may hold the lock now.
  if (holderOf(path)?.token === token) rmSync(path);
  rmSync(claim);
  return true;
}

function holderOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
