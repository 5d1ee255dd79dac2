/** Work in a data folder that may be new. */
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { removeNewFolder } from './lock.ts';

/**
 * Runs work that needs a data folder, and creates a missing one. If the work fails without data,
 * nothing stays behind. At the end, `onMade` is called for a new folder that stays.
 */
export async function inDataFolder<Result>(
  path: string,
  onMade: (path: string) => void,
  work: (folder: DataFolder) => Result | Promise<Result>,
): Promise<Result> {
  let made: string | undefined;
  const folder = openDataFolder(path, {
    onMade: (_, first) => {
      made = first;
    },
  });
  let stays = true;
  try {
    return await work(folder);
  } catch (error) {
    if (made !== undefined) stays = !removeNewFolder(folder, made);
    throw error;
  } finally {
    if (made !== undefined && stays) onMade(folder.path);
  }
}
