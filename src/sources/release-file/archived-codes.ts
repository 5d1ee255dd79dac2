/** Reads the codes in the archive of a release, of which only the full file was imported. */
import { SourceError, type SourceReceiver } from '../../directory/import/source.ts';
import { openRelease } from './open-release.ts';
import type { OpenReleaseOptions } from './opening.ts';
import { readRelease } from './read-release.ts';

/** Undefined if the archive cannot be read. Empty if the file is not a zip, or has no archive. */
export async function readArchivedCodes(
  options: OpenReleaseOptions,
): Promise<ReadonlySet<string> | undefined> {
  const codes = new Set<string>();
  const receiver: SourceReceiver = {
    manifest: () => {},
    codeSystems: () => {},
    record: ({ code, isReferenceOnly }) => {
      if (isReferenceOnly !== true) codes.add(code);
    },
    keep: () => {},
    leftOut: () => {},
    leftOutArchive: () => {},
    warning: () => {},
    progress: () => {},
  };
  try {
    for await (const document of openRelease({ ...options, parts: 'archive' })) {
      await readRelease(document, receiver);
    }
    return codes;
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}
