/** The names of areas, by their codes. */

import { type Edition, perEdition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import { tokenCriterion } from '../index/organization-index.ts';
import type { NamedCode } from '../record/named-code.ts';
import { primaryRoleOf } from '../record/record-facts.ts';
import { geographyArea } from './geography-areas.ts';

export interface GeographyNames {
  readonly count: number;
  /** By its code in the Organisation Data Service, or in national statistics if it has none there. */
  find(code: string): NamedCode | undefined;
  /** From 0: the areas of the imported postcodes, then the other boards and regions. */
  at(place: number): NamedCode;
}

/** The areas of the imported postcodes, and the boards, their parts and the regions of the edition. */
export const geographyNames = perEdition((edition): GeographyNames => {
  const { postcodes } = edition;
  const areas = postcodes?.areas;
  const others = boardsAndRegions(edition).filter((code) => areas?.find(code) === undefined);
  const areaCount = areas?.count ?? 0;
  const ofRecord = (code: string): NamedCode | undefined => {
    const row = edition.links.rowOf(code);
    if (row === undefined) return undefined;
    const record = recordAt(edition, row);
    const isArea = AREA_ROLES.has(primaryRoleOf(record)?.code ?? '');
    const { name } = record;
    return isArea ? { code, ...(name !== undefined && { name }) } : undefined;
  };
  return {
    count: areaCount + others.length,
    find: (code) => {
      const area = areas?.find(code);
      return area === undefined ? ofRecord(code) : geographyArea(edition, area);
    },
    at: (place) => {
      const area = place < areaCount ? areas?.at(place) : undefined;
      if (area !== undefined) return geographyArea(edition, area);
      const code = others[place - areaCount]!;
      return ofRecord(code) ?? { code };
    },
  };
});

/** NHS England (region), strategic partnership, integrated care board, sub ICB location. */
const AREA_ROLES: ReadonlySet<string> = new Set(['209', '261', '318', '319']);

/** The national edition has about 200. */
function boardsAndRegions({ index, references, rows, links }: Edition): readonly string[] {
  const query = { criteria: [tokenCriterion('primaryRole', [...AREA_ROLES])] };
  const full = index.search(query, 0, AREAS_MAX).rows;
  const reduced = references.index.search(query, 0, AREAS_MAX).rows;
  return [...full, ...reduced.map((row) => row + rows.count)].map(links.codeOf);
}

const AREAS_MAX = 10_000;
