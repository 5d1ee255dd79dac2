/** Whether the locked packages are installed. Plain JavaScript without packages, for Node 20. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The state of the checkout in a folder. */
export function installStateOf(root) {
  const stamp = join(root, 'node_modules', '.installed');
  const hidden = join(root, 'node_modules', '.package-lock.json');
  const locked = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const wanted = createHash('sha256')
    .update(locked)
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  return {
    isInstalled: () => {
      if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === wanted;
      return existsSync(hidden) && areSame(JSON.parse(locked), readJson(hidden));
    },
    /** Removes the mark of a complete installation, so that a killed installation has none. */
    begin: () => {
      for (const path of [stamp, hidden]) rmSync(path, { force: true });
    },
    end: () => writeFileSync(stamp, wanted),
  };
}

/** Whether somebody has run `npm ci`, which ends with a list of what it installed. */
function areSame({ packages: locked }, { packages: installed = {} }) {
  const isLocked = ([path, { version }]) => locked[path]?.version === version;
  const isMissing = ([path, { optional, devOptional }]) =>
    path !== '' && !optional && !devOptional && installed[path] === undefined;
  return Object.entries(installed).every(isLocked) && !Object.entries(locked).some(isMissing);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
