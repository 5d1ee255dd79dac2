/** The code system of organisation codes, also of reference-only records. */

import type { Edition } from '../../../../directory/edition/edition.ts';
import {
  type DirectoryCriterion,
  type OrganizationIndex,
  tokenCriterion,
} from '../../../../directory/index/organization-index.ts';
import { FhirError } from '../../../../fhir/request/fhir-error.ts';
import { unknownValue } from '../../../../fhir/request/unknown-name.ts';
import { type DatePrefix, dateDiagnostics, parseDate } from '../../../../fhir/search/date.ts';
import { searchSections } from '../../../faces/search-sections.ts';
import { R4_SYSTEMS } from '../../resources/systems.ts';
import { codeSystem, type R4CodeSystem } from './code-system.ts';
import type { CodesQuery } from './code-system-row.ts';
import { filterWords } from './codes-in-memory.ts';
import {
  ORGANIZATION_PROPERTIES,
  type OrganizationItem,
  organizationAt,
  relationshipProperties,
  undeclaredRelationship,
} from './organization-properties.ts';

export function organizationCodes(url: string): R4CodeSystem {
  return codeSystem<OrganizationItem>({
    id: 'ods-organization-code',
    name: 'ODSOrganizationCode',
    url,
    title: 'Organisation',
    usualProperties: ['status', 'inactive'],
    properties: ORGANIZATION_PROPERTIES,
    furtherProperties: relationshipProperties,
    undeclaredProperty: undeclaredRelationship,
    filters: Object.keys(FILTERS),
    open: (edition) => ({
      find: (code) => {
        const row = edition.links.rowOf(code);
        return row === undefined ? undefined : organizationAt(edition, row);
      },
      page: (query) => page(edition, query),
    }),
  });
}

function page(edition: Edition, { text, isActiveOnly, filters, offset, count }: CodesQuery) {
  const criteria = textCriteria(edition, text);
  const active = isActiveOnly ? [tokenCriterion('active', ['true'])] : [];
  const queryOf = (index: OrganizationIndex) => {
    const chosen = filters.map(({ property, value }) => FILTERS[property]!(value, index));
    return { criteria: [...chosen, ...active, ...criteria] };
  };
  const { total, rows } = searchSections(
    edition,
    { full: queryOf(edition.index), references: queryOf(edition.references.index) },
    offset,
    count,
  );
  return { total, items: rows.values().map((row) => organizationAt(edition, row)) };
}

/** A code, or words that the name contains. */
function textCriteria({ links }: Edition, text: string): readonly DirectoryCriterion[] {
  const code = text.trim().toUpperCase();
  if (links.rowOf(code) !== undefined) return [tokenCriterion('code', [code])];
  return filterWords(text).map((word) => ({
    type: 'string',
    field: 'name',
    match: 'contains',
    values: [word],
  }));
}

type FilterCriterion = (value: string, index: OrganizationIndex) => DirectoryCriterion;

/** The properties by which a value set in a request can choose organisations, with the op `=`. */
const FILTERS: Readonly<Record<string, FilterCriterion>> = {
  lastChangeDate: (value) => {
    const parsed = parseDate([value], PREFIXES, DIAGNOSTICS);
    if ('issues' in parsed) throw FhirError.of('invalid-value', DIAGNOSTICS);
    return { type: 'date', field: 'lastUpdated', values: [parsed.value] };
  },
  status: (value) => {
    if (STATUSES.includes(value)) return tokenCriterion('active', [String(value === 'active')]);
    throw FhirError.of('invalid-value', unknownValue('the filter status', value, STATUSES));
  },
  inactive: (value) => tokenCriterion('active', [String(value === 'false')]),
  primaryRole: (value) => tokenCriterion('primaryRole', [ownCode(value, R4_SYSTEMS.role, 'RO')]),
  role: (value, index) => roleCriterion(index, ownCode(value, R4_SYSTEMS.role, 'RO')),
  orgRecordClass: (value) =>
    tokenCriterion('recordClass', [ownCode(value, R4_SYSTEMS.recordClass, 'RC')]),
};

/** As the property `role`: an active role, or any role if the organisation has no active one. */
function roleCriterion(index: OrganizationIndex, code: string): DirectoryCriterion {
  const hasActive = { type: 'token', field: 'activeRole', values: [{}] } as const;
  const queries: readonly (readonly DirectoryCriterion[])[] = [
    [tokenCriterion('activeRole', [code])],
    [tokenCriterion('role', [code]), { type: 'not', criterion: hasActive }],
  ];
  const rows = queries.flatMap((criteria) => index.search({ criteria }, 0, index.count).rows);
  return { type: 'rows', rows: Uint32Array.from(rows).sort() };
}

const STATUSES: readonly string[] = ['active', 'inactive'];

/** As the search parameter of the same name. */
const PREFIXES: readonly DatePrefix[] = ['eq', 'gt', 'ge', 'lt', 'le'];
const DIAGNOSTICS = dateDiagnostics('The value of the filter lastChangeDate', PREFIXES);

/** `RO197` and `system|RO197` become `197`. A code of another system is that of no organisation. */
function ownCode(value: string, system: string, prefix: string): string {
  const code = value.startsWith(`${system}|`) ? value.slice(system.length + 1) : value;
  return code.startsWith(prefix) ? code.slice(prefix.length) : code;
}
