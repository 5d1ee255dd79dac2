/** An Organisation element of a release file, with the unchanged values of the file. */

export interface DateDraft {
  type?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
}

/** A part of an Organisation with a status and dates: a role, a relationship or a succession. */
export interface PartDraft {
  readonly id: string | undefined;
  /** `uniqueRoleId`, `uniqueRelId` or `uniqueSuccId`. */
  readonly uniqueId: string | undefined;
  status?: string | undefined;
  readonly dates: DateDraft[];
}

export interface RoleDraft extends PartDraft {
  readonly primaryRole: string | undefined;
}

export interface TargetDraft {
  code?: string | undefined;
  role?: string | undefined;
  roleId?: string | undefined;
}

export interface RelationshipDraft extends PartDraft {
  target?: TargetDraft;
}

export interface SuccessionDraft extends PartDraft {
  type?: string;
  forward?: string | undefined;
  target?: TargetDraft;
}

export interface LocationDraft {
  /** AddrLn1, AddrLn2 and AddrLn3 at the indexes 0, 1 and 2. */
  readonly lines: (string | undefined)[];
  town?: string;
  county?: string;
  postCode?: string;
  country?: string;
  uprn?: string;
}

export interface OrganisationDraft {
  readonly recordClass: string | undefined;
  readonly refOnly: string | undefined;
  code?: string | undefined;
  authority?: string | undefined;
  name?: string;
  status?: string | undefined;
  lastChangeDate?: string | undefined;
  readonly dates: DateDraft[];
  readonly locations: LocationDraft[];
  readonly contacts: { readonly type: string | undefined; readonly value: string | undefined }[];
  readonly roles: RoleDraft[];
  readonly relationships: RelationshipDraft[];
  readonly successions: SuccessionDraft[];
  /** Names of elements that the format does not allow in an Organisation. */
  readonly unknownElements: string[];
}
