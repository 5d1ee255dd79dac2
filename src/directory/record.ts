/** An organisation as an edition keeps it. It depends on no setting and no FHIR version. */

/** `Operational`: the organisation works. `Legal`: the organisation exists in law. */
export type PeriodKind = 'Operational' | 'Legal';

/** Every period has a start. Dates are `YYYY-MM-DD`; FHIR sources may have less precise ones. */
export interface PeriodRecord {
  readonly kind: PeriodKind;
  readonly start: string;
  readonly end?: string;
}

/** A role as held by one organisation; its display comes from the edition's code system. */
export interface RoleRecord {
  /** The role's code without `RO`: `177`. */
  readonly code: string;
  readonly isPrimary: boolean;
  readonly isActive: boolean;
  /** Operational first, then Legal. */
  readonly periods: readonly PeriodRecord[];
}

export interface TelecomRecord {
  /** A code of FHIR's ContactPoint.system. */
  readonly system: 'phone' | 'fax' | 'email' | 'url' | 'other';
  readonly value: string;
}

export interface AddressRecord {
  /** Street lines, without empty ones. */
  readonly lines: readonly string[];
  readonly city?: string;
  readonly district?: string;
  readonly postalCode?: string;
  readonly country?: string;
  readonly uprn?: string;
}

/** Text is trimmed, white space is collapsed to one space, and empty text is absent. */
export interface OrganizationRecord {
  /** The organisation code: 1 to 64 ASCII letters or digits. */
  readonly code: string;
  readonly name?: string;
  readonly isActive: boolean;
  /** A date `YYYY-MM-DD`, which means its midnight in UTC, or a FHIR instant. */
  readonly lastUpdated: string;
  /** The record class without `RC`: `1` HSCOrg, `2` HSCSite. */
  readonly recordClass?: string;
  /** Operational first, then Legal. */
  readonly periods: readonly PeriodRecord[];
  /** At least one; the primary role first, and it alone has `isPrimary`. */
  readonly roles: readonly RoleRecord[];
  readonly telecoms: readonly TelecomRecord[];
  readonly address?: AddressRecord;
}

/** A code of a code system; `code` without its `RO` or `RC`, the display as published. */
export interface Concept {
  readonly code: string;
  readonly display?: string;
}

/** The code systems that an edition's records use, in the order of their source. */
export interface CodeSystems {
  readonly roles: readonly Concept[];
  readonly recordClasses: readonly Concept[];
}

/** The last change of a record, in milliseconds since 1970 UTC. */
export function lastUpdatedMs(record: Pick<OrganizationRecord, 'lastUpdated'>): number {
  return Date.parse(record.lastUpdated);
}
