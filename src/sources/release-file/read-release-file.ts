/** Reads a release file, whatever it is wrapped in, into a receiver. */
import type { SourceReceiver } from '../../directory/import/source.ts';
import { openRelease } from './open-release.ts';
import type { OpenReleaseOptions } from './opening.ts';
import { type ReleaseDocument, type ReleaseSummary, readRelease } from './read-release.ts';

export interface ReadReleaseFileOptions extends OpenReleaseOptions {
  readonly receiver: SourceReceiver;
}

/** Reads one document; nothing is answered for one that is no release and was read otherwise. */
export type ReadDocument = (
  document: ReleaseDocument,
  receiver: SourceReceiver,
) => Promise<ReleaseSummary | undefined>;

/**
 * Pushes the full file and then, where that is wanted, the archive to the receiver, each with its
 * own manifest and code systems; a summary for each. Throws a SourceError when the file cannot be
 * imported: what the receiver was told by then is worth nothing.
 */
export async function readReleaseFile(
  options: ReadReleaseFileOptions,
  readDocument: ReadDocument = readRelease,
): Promise<readonly ReleaseSummary[]> {
  const summaries: ReleaseSummary[] = [];
  for await (const document of openRelease(options)) {
    const summary = await readDocument(document, options.receiver);
    if (summary !== undefined) summaries.push(summary);
  }
  return summaries;
}
