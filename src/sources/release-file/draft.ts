/** An Organisation element of a release file, with the unchanged values of the file. */

export interface DateDraft {
  type?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
}

export interface RoleDraft {
  readonly id: string | undefined;
  readonly primaryRole: string | undefined;
  status?: string | undefined;
  readonly dates: DateDraft[];
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
  name?: string;
  status?: string | undefined;
  lastChangeDate?: string | undefined;
  readonly dates: DateDraft[];
  readonly locations: LocationDraft[];
  readonly contacts: { readonly type: string | undefined; readonly value: string | undefined }[];
  readonly roles: RoleDraft[];
  /** Names of elements that the format does not allow in an Organisation. */
  readonly unknownElements: string[];
}
