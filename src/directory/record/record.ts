/** An organisation as an edition keeps it, and what sources say about it. It depends on no setting and no FHIR version. */

/** `Operational`: the organisation works. `Legal`: the organisation exists in law. */
export type PeriodKind = 'Operational' | 'Legal';

/**
 * A period has a start, an end or both. Dates are `YYYY-MM-DD`; FHIR sources may have less precise
 * ones.
 */
export interface PeriodRecord {
  readonly kind: PeriodKind;
  /** Absent: the source knows only the end. */
  readonly start?: string;
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
  /** The number of this role of this organisation: 1 or more. */
  readonly uniqueId?: number;
}

/** The organisation at the other end of a relationship or a succession. */
export interface TargetRecord {
  readonly code: string;
  /** The code of its primary role without `RO`. */
  readonly primaryRole?: string;
  /** The `uniqueId` of that role. */
  readonly primaryRoleId?: number;
}

/** A relationship of an organisation to another one: it is commissioned by the other one. */
export interface RelationshipRecord {
  /** The code of its type without `RE`: `4`. */
  readonly type: string;
  /** The number of this relationship: 1 or more. */
  readonly uniqueId?: number;
  readonly isActive: boolean;
  /** Operational first, then Legal. */
  readonly periods: readonly PeriodRecord[];
  readonly target: TargetRecord;
}

/** `Predecessor`: the target came before the organisation. */
export type SuccessionKind = 'Predecessor' | 'Successor';

export interface SuccessionRecord {
  readonly kind: SuccessionKind;
  /** The number of this succession: 1 or more. */
  readonly uniqueId?: number;
  /** Operational first, then Legal. */
  readonly periods: readonly PeriodRecord[];
  /** The value of `forwardSuccession`, if the source states it. */
  readonly isForward?: boolean;
  readonly target: TargetRecord;
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
  /**
   * The primary role first, and it alone has `isPrimary`. A reference-only record may have no primary
   * role, and no role at all.
   */
  readonly roles: readonly RoleRecord[];
  readonly telecoms: readonly TelecomRecord[];
  readonly address?: AddressRecord;
  /** The name of the authority that assigned the code: `HSCIC`. */
  readonly authority?: string;
}

/** What a source says about an organisation. An edition keeps the two parts in separate arrays. */
export interface SourceRecord extends OrganizationRecord {
  /** Whether the source has it only because other records refer to it. */
  readonly isReferenceOnly?: boolean;
  /** In the order of the source. */
  readonly relationships?: readonly RelationshipRecord[];
  readonly successions?: readonly SuccessionRecord[];
}

/** A code of a code system; `code` without its `RO`, `RE` or `RC`, the display as published. */
export interface Concept {
  readonly code: string;
  readonly display?: string;
}

export type CodeSystemName = 'roles' | 'relationships' | 'recordClasses';

/** The code systems that an edition's records use, in the order of their source. */
export interface CodeSystems extends Readonly<Record<CodeSystemName, readonly Concept[]>> {
  /** The object identifiers of the code systems in a release. */
  readonly oids?: Readonly<Partial<Record<CodeSystemName, string>>>;
}

/** The last change of a record, in milliseconds since 1970 UTC. */
export function lastUpdatedMs(record: Pick<OrganizationRecord, 'lastUpdated'>): number {
  return Date.parse(record.lastUpdated);
}
