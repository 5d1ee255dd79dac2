/** Reads a release file of any format into a receiver, or only the codes in its archive. */
import { SourceError, type SourceReceiver } from '../../directory/record/source.ts';
import type { OpenReleaseOptions } from '../archive/opening.ts';
import { openRelease } from './open-release.ts';
import type { ReleaseSummary } from './parse/release-reading.ts';
import { type ReleaseDocument, readRelease } from './read-release.ts';

export interface ReadReleaseFileOptions extends OpenReleaseOptions {
  readonly receiver: SourceReceiver;
}

/** Reads one document. Returns undefined for a document that is not a release. */
type ReadDocument = (
  document: ReleaseDocument,
  receiver: SourceReceiver,
) => Promise<ReleaseSummary | undefined>;

/**
 * Pushes the full file to the receiver, and then the archive if the options ask for it. Each has its
 * own manifest and code systems. Returns a summary of each. Throws a SourceError if the file cannot
 * be imported; the receiver must then discard everything.
 */
export async function readReleaseFile(
  options: ReadReleaseFileOptions,
  readDocument: ReadDocument = (document, receiver) => readRelease(document, receiver),
): Promise<readonly ReleaseSummary[]> {
  const summaries: ReleaseSummary[] = [];
  for await (const document of openRelease(options)) {
    if (document.chosen !== undefined) {
      const { insteadOf, reason } = document.chosen;
      const detail = `${reason}; left out: ${insteadOf.join(', ')}`;
      options.receiver.warning('several-full-files', document.name, detail);
    }
    options.receiver.file?.(document.isArchive === true);
    const summary = await readDocument(document, options.receiver);
    if (summary !== undefined) summaries.push(summary);
  }
  if (!options.includeArchive && typeof options.file === 'string') {
    options.receiver.leftOutArchive(() => readArchivedCodes(options));
  }
  return summaries;
}

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
