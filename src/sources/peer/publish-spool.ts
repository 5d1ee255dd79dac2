/** Publishes the data that a sync has fetched as an edition. */
import { openEdition } from '../../directory/edition/edition.ts';
import type { EditionInfo } from '../../directory/edition/edition-store.ts';
import { importEdition, SHRINK_MAX } from '../../directory/import/import-edition.ts';
import { SourceError } from '../../directory/import/source.ts';
import type { FetchReport } from '../fetch-options.ts';
import { understoodUris } from '../fhir/understood-uris.ts';
import type { PeerAddress } from './peer-address.ts';
import { type EditionBefore, readPeer, readPeerRelease } from './read-peer.ts';
import type { Sync, SyncOptions } from './sync-options.ts';

/** FHIR with changes or with everything, or everything in the form of the national release. */
export type SpoolContent = 'changes' | 'everything' | 'release';

export type Published = Pick<FetchReport, 'report' | 'isPublished'>;

/**
 * Publishes the content of the spool as an edition. The report counts the records that were
 * fetched.
 */
export async function publishSpool(sync: Sync, content: SpoolContent): Promise<Published> {
  const { options, spool, current } = sync;
  const areChanges = content === 'changes';
  const { store, peer, settings } = options;
  if (!areChanges && spool.bytes === 0) {
    throw new SourceError(`${peer.baseUrl} has no organisations. Nothing was published.`);
  }
  let replaced: EditionInfo | undefined;
  options.say('Reading the fetched data …');
  const report = await importEdition({
    ...options,
    source: peer.baseUrl,
    onlyChanges: () => true,
    read: async (receiver) => {
      // No other import can begin from now on.
      replaced = await store.current();
      const before = await editionBefore(replaced, options);
      const isOther = replaced?.publishedAt !== current?.publishedAt;
      if (areChanges && (isOther || before === undefined)) {
        throw new SourceError('Another edition became current during the sync. Sync again.');
      }
      const file = { spool: spool.path, name: peer.baseUrl, before, receiver };
      const others =
        content === 'release'
          ? await readPeerRelease(file)
          : await readPeer({
              ...file,
              areChanges,
              uris: understoodUris(settings),
              now: new Date(options.now()),
            });
      if (!areChanges && replaced !== undefined && !options.allowShrink) {
        refuseShrinking(peer, replaced, others);
      }
    },
  });
  return { report, isPublished: report.edition.number !== replaced?.number };
}

/** Makes the check of an import early, with a message about the sync. */
function refuseShrinking(
  { baseUrl }: PeerAddress,
  { number, records }: EditionInfo,
  missing: number,
): void {
  if (missing <= records * SHRINK_MAX) return;
  const count = (value: number) => value.toLocaleString('en-GB');
  const percent = Math.round((missing / records) * 100);
  throw new SourceError(
    `${baseUrl} does not have ${count(missing)} of the ${count(records)} organisations (${percent} %) ` +
      `of edition ${number}. If this is correct, sync again with --allow-shrink.`,
  );
}

/** Undefined if there is no edition, or it cannot be read. The sync then fetches everything. */
export async function editionBefore(
  current: EditionInfo | undefined,
  { store }: SyncOptions,
): Promise<EditionBefore | undefined> {
  if (current === undefined) return undefined;
  const { publicationDate } = current;
  try {
    const { rows, codeSystems } = openEdition(current, await store.load(current.number));
    return { rows, codeSystems, publicationDate };
  } catch {
    return undefined;
  }
}
