/** Compares an edition with one that is built from nothing out of the same records. */
import { jsonNamed } from '../index/array-named.ts';
import { areSameArrays } from '../record/arrays.ts';
import { RecordsBuilder } from '../record/records-builder.ts';
import { SOURCE_HASHES } from '../record/source-hashes.ts';
import { sourceRecordAt } from '../record/source-record.ts';
import { buildEditionInThreads } from './build-edition.ts';
import type { LoadedEdition } from './edition.ts';
import { EDITION_FORMAT } from './edition.ts';

/**
 * The names of the arrays that differ, in the order of the alphabet. Arrays about earlier editions are
 * not compared. Undefined if an earlier version of the program made the edition: equal texts may be
 * in another order there.
 */
export async function unlikeFromNothing(
  edition: LoadedEdition,
): Promise<readonly string[] | undefined> {
  const { arrays, rows, relations, hasRelations } = edition;
  const hashes = arrays[SOURCE_HASHES];
  if (arrays.format?.[0] !== EDITION_FORMAT || hashes === undefined) return undefined;
  const records = new RecordsBuilder();
  const ordinals = Uint32Array.from({ length: relations.rowCount }, (_, row) => {
    const ordinal = records.add(sourceRecordAt(edition, row));
    records.source(ordinal, [hashes[2 * row]!, hashes[2 * row + 1]!]);
    return ordinal;
  });
  const built = await buildEditionInThreads({
    records,
    ordinals: { full: ordinals.subarray(0, rows.count), references: ordinals.subarray(rows.count) },
    codeSystems: jsonNamed(arrays, 'code-systems'),
    manifests: jsonNamed(arrays, 'manifests'),
    hasRelations,
  });
  const names = new Set([...Object.keys(arrays), ...Object.keys(built)]);
  return [...names]
    .filter((name) => !name.startsWith('changes.'))
    .filter((name) => !areSameArrays(arrays[name], built[name]))
    .sort();
}
