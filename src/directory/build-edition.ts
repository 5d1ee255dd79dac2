/** Builds the arrays of an edition. */
import { jsonBytes } from './array-json.ts';
import type { NamedArrays } from './arrays.ts';
import { EDITION_FORMAT } from './edition.ts';
import { buildRecords } from './edition-records.ts';
import type { Manifest } from './import/source.ts';
import type { CodeSystems } from './record.ts';
import type { RecordsBuilder, SectionOrdinals } from './records-builder.ts';

export interface EditionContents {
  readonly records: RecordsBuilder;
  /** The records that become rows. */
  readonly ordinals: SectionOrdinals;
  readonly codeSystems: CodeSystems;
  readonly manifests: readonly Manifest[];
  /** Whether the sources state relationships and successions. */
  readonly hasRelations: boolean;
}

export function buildEdition(contents: EditionContents): NamedArrays {
  const { records, ordinals, codeSystems, manifests, hasRelations } = contents;
  return {
    ...buildRecords(records, ordinals, hasRelations),
    format: Uint32Array.of(EDITION_FORMAT),
    'code-systems': jsonBytes(codeSystems),
    manifests: jsonBytes(manifests),
  };
}
