/** The links of records as plain lists, and the arrays of their indexes. */

import type { NamedArrays } from '../../../src/directory/arrays/arrays.ts';
import {
  ORGANIZATION_COLUMNS,
  type OrganizationIndex,
  openOrganizationIndex,
} from '../../../src/directory/index/organization-index.ts';
import {
  buildRelationshipIndex,
  openRelationshipIndex,
  type RelationshipIndex,
} from '../../../src/directory/index/relationship-index.ts';
import { buildIndex } from '../../../src/directory/index/search-index.ts';
import type { EditionLinks, Relationship } from '../../../src/directory/links/edition-links.ts';
import { noLinks } from '../../../src/directory/links/edition-links-builder.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { shared } from './random-records.ts';

/** Both lists are sorted by code. */
export function linksOf(
  full: readonly SourceRecord[],
  references: readonly SourceRecord[],
): EditionLinks {
  const records = [...full, ...references];
  const rows = new Map(records.map(({ code }, row) => [code, row]));
  const rowOf = (code: string) => rows.get(code);
  const codes = { rowCount: records.length, rowOf, codeOf: (row: number) => records[row]!.code };
  const list: Relationship[] = [];
  const firsts = records.map(({ relationships = [] }, sourceRow) => {
    const first = list.length;
    for (const each of relationships) list.push({ ...each, ordinal: list.length, sourceRow });
    return first;
  });
  const incoming = (code: string) =>
    Uint32Array.from(
      list.filter(({ target }) => target.code === code),
      (each) => each.ordinal,
    );
  return {
    ...noLinks(codes),
    count: list.length,
    ofRow: (row) => ({ first: firsts[row]!, end: firsts[row + 1] ?? list.length }),
    at: (ordinal) => list[ordinal]!,
    scan: () => (ordinal) => {
      const { target, ...others } = list[ordinal]!;
      const targetNumber = rowOf(target.code) ?? records.length;
      return { ...others, target, targetNumber, targetRole: target.primaryRole };
    },
    incoming,
    frequentTargets: (than) => {
      const codes = [...new Set(list.map(({ target }) => target.code))];
      return codes
        .map((code) => ({ code, ordinals: incoming(code) }))
        .filter(({ ordinals }) => ordinals.length > than);
    },
    byUniqueId: (id) => list.find(({ uniqueId }) => uniqueId === id)?.ordinal,
  };
}

export interface RelatedIndexes {
  readonly links: EditionLinks;
  readonly full: OrganizationIndex;
  readonly references: OrganizationIndex;
  readonly relationships: RelationshipIndex;
}

export function relatedIndexes(
  full: readonly SourceRecord[],
  references: readonly SourceRecord[],
): RelatedIndexes {
  const links = linksOf(full, references);
  const related = shared(buildRelationshipIndex(links, full.length));
  const open = (records: readonly SourceRecord[], ofRelations: NamedArrays) => {
    const arrays = buildIndex(ORGANIZATION_COLUMNS, records.length, (row) => records[row]!);
    return openOrganizationIndex({ ...shared(arrays), ...ofRelations });
  };
  return {
    links,
    full: open(full, related),
    references: open(references, withoutReferences(related)),
    relationships: openRelationshipIndex(related, links, full.length),
  };
}

function withoutReferences(arrays: NamedArrays): NamedArrays {
  return Object.fromEntries(
    Object.entries(arrays)
      .filter(([name]) => name.startsWith('references.'))
      .map(([name, array]) => [name.slice('references.'.length), array]),
  );
}
