/** Properties that several code systems have: periods, the geography of a postcode, codes of organisations. */

import {
  GEOGRAPHY,
  type GeographyAreas,
  type GeographyKind,
} from '../../../../directory/ask/geography-areas.ts';
import type { Edition } from '../../../../directory/edition/edition.ts';
import { perEdition } from '../../../../directory/edition/edition.ts';
import { namedCode } from '../../../../directory/edition/source-record.ts';
import { displaysOf } from '../../../../directory/record/concepts.ts';
import { prefixedId } from '../../../../directory/record/ids.ts';
import type { PeriodKind, PeriodRecord } from '../../../../directory/record/record.ts';
import type { PropertyValue } from '../../../faces/code-system-types.ts';
import { R4_SYSTEMS } from '../../resources/systems.ts';
import type { CodeContext, PropertyRow } from './code-system-row.ts';

/** The four dates of what has legal and operational periods. `what`: such as `role`. */
export function dateProperties<Item>(
  what: string,
  periodsOf: (item: Item) => readonly PeriodRecord[],
): readonly PropertyRow<Item>[] {
  const date = (code: string, kind: PeriodKind, end: 'start' | 'end'): PropertyRow<Item> => ({
    code,
    type: 'dateTime',
    description: `The ${end} of the ${kind.toLowerCase()} period of the ${what}.`,
    valuesOf: (item) =>
      periodsOf(item).flatMap((period) => (period.kind === kind ? (period[end] ?? []) : [])),
  });
  return [
    date('opStartDate', 'Operational', 'start'),
    date('opEndDate', 'Operational', 'end'),
    date('legStartDate', 'Legal', 'start'),
    date('legEndDate', 'Legal', 'end'),
  ];
}

/** The areas in which something is, each as a code of the code system `geography-name`. */
export function geographyProperties<Item>(
  areasOf: (item: Item, context: CodeContext) => GeographyAreas,
): readonly PropertyRow<Item>[] {
  return (Object.keys(GEOGRAPHY) as GeographyKind[]).map((kind) => ({
    code: kind,
    type: 'Coding',
    description: `The ${GEOGRAPHY[kind]}.`,
    valuesOf: (item, context) => {
      const area = areasOf(item, context)[kind];
      return area && codingOf(R4_SYSTEMS.geographyName, area.code, area.name);
    },
  }));
}

export function codingOf(system: string, code: string, display?: string): PropertyValue {
  return { system, code, ...(display !== undefined && { display }) };
}

const roleDisplays = perEdition(({ codeSystems }) => displaysOf(codeSystems.roles));
const relationshipDisplays = perEdition(({ codeSystems }) => displaysOf(codeSystems.relationships));

/** `code` is without `RO`. */
export function roleCoding(edition: Edition, code: string): PropertyValue {
  return codingOf(R4_SYSTEMS.role, prefixedId('RO', code), roleDisplays(edition).get(code));
}

/** `type` is without `RE`. */
export function relationshipCoding(edition: Edition, type: string): PropertyValue {
  const display = relationshipDisplays(edition).get(type);
  return codingOf(R4_SYSTEMS.relationship, prefixedId('RE', type), display);
}

/** The name of the organisation that a value of type code is. */
export function nameOfOrganization(value: PropertyValue, edition: Edition): string | undefined {
  return typeof value === 'string' ? namedCode(edition, value).name : undefined;
}

export function statusCode(isActive: boolean): string {
  return isActive ? 'active' : 'inactive';
}
