/** Release files: imported into an empty data folder, or refused in one line that says what to do. */
import type { FuzzKind } from './fuzz-kind.ts';
import { mutatedRelease } from './release-mutations.ts';
import { attemptRelease } from './try-release.ts';

export function openReleaseKind(): FuzzKind {
  return {
    generate: mutatedRelease,
    // What other inputs and other programs delay once is not a find.
    attempt: async (input) =>
      (await attemptRelease(input)) === undefined ? undefined : attemptRelease(input),
    // An import syncs the disk, which takes its time: how long it stands still is looked at inside.
    concurrency: 2,
  };
}
