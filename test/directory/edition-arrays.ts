/** The arrays of an edition of given records. */

import type { NamedArrays } from '../../src/directory/arrays/arrays.ts';
import { buildEdition } from '../../src/directory/edition/build-edition.ts';
import { RecordsBuilder } from '../../src/directory/edition/records-builder.ts';
import type { CodeSystems, SourceRecord } from '../../src/directory/record/record.ts';
import { CODE_SYSTEMS } from './records.ts';

/** In each section, the records must be in the order of their codes. */
export function editionArrays(
  records: readonly SourceRecord[],
  {
    codeSystems = CODE_SYSTEMS,
    hasLinks = true,
  }: { readonly codeSystems?: CodeSystems; readonly hasLinks?: boolean } = {},
): NamedArrays {
  const builder = new RecordsBuilder();
  const full: number[] = [];
  const references: number[] = [];
  for (const record of records) {
    (record.isReferenceOnly === true ? references : full).push(builder.add(record));
  }
  return buildEdition({
    records: builder,
    ordinals: { full: Uint32Array.from(full), references: Uint32Array.from(references) },
    codeSystems,
    manifests: [],
    hasLinks,
  });
}
