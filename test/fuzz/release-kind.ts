/** Release files: imported into an empty data folder, or refused in one line that says what to do. */
import type { FuzzKind } from './fuzz-kind.ts';
import { mutatedRelease } from './release-mutations.ts';
import { attemptRelease } from './try-release.ts';

export function openReleaseKind(): FuzzKind {
  return {
    generate: mutatedRelease,
    // What another input or another program delays once is not a find.
    attempt: async (input) => {
      let reason = await attemptRelease(input);
      for (let again = 1; again < ATTEMPTS && reason !== undefined; again++) {
        reason = await attemptRelease(input);
      }
      return reason;
    },
    // An import syncs the disk, which takes its time: how long it stands still is looked at inside.
    concurrency: 2,
  };
}

const ATTEMPTS = 3;
