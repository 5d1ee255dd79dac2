/** An organisation as a source describes it: what an edition keeps, free of any setting. */

/** `Operational` is the time the organisation works, `Legal` the time it exists in law. */
export type PeriodKind = 'Operational' | 'Legal';

/** A period with a start is kept; dates are `YYYY-MM-DD` (FHIR sources may have coarser ones). */
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
  /** As FHIR STU3 ContactPoint.system has it. */
  readonly system: 'phone' | 'fax' | 'email' | 'url' | 'other';
  readonly value: string;
}

export interface AddressRecord {
  /** Street lines with the gaps closed. */
  readonly lines: readonly string[];
  readonly city?: string;
  readonly district?: string;
  readonly postalCode?: string;
  readonly country?: string;
  readonly uprn?: string;
}

/** Text is trimmed, runs of white space are one space, and what is empty is absent. */
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

/** When a record was last changed, in milliseconds since 1970 UTC. */
export function lastUpdatedMs(record: Pick<OrganizationRecord, 'lastUpdated'>): number {
  return Date.parse(record.lastUpdated);
}
