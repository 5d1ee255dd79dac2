/** People who prescribe and consultants of trusts, as the national files list them. */
import type { AboutTable } from '../arrays/stored-table.ts';

/** The names of the files, which are also the names of the reports. */
export const PRACTITIONER_FILES = [
  'egpcur',
  'epracmem',
  'egmcmem',
  'econcur',
  'edconcur',
  'enurse',
  'epcdp',
  'ngpcur',
] as const;

export type PractitionerFile = (typeof PRACTITIONER_FILES)[number];

export interface AboutPractitioners extends AboutTable {
  readonly practitioners: number;
  readonly memberships: number;
  /** The rows of each file that was imported. */
  readonly rows: Readonly<Partial<Record<PractitionerFile, number>>>;
}

/** The kinds of numbers, by the properties of the national code system. */
export const NUMBER_KINDS = {
  1: 'General National Code (GNC)',
  2: 'Private controlled drug prescriber code',
  3: 'Hospital consultant code',
  4: 'Dental consultant code',
  5: 'Nurse prescriber code',
  6: 'General Medical Council number (GMC)',
  7: 'General Dental Council number (GDC)',
  8: 'Northern Ireland general practitioner code',
} as const;

export type NumberKind = keyof typeof NUMBER_KINDS;

export interface PractitionerNumber {
  readonly kind: NumberKind;
  readonly value: string;
}

/** The kinds of memberships, by the properties of the national code system. */
export const MEMBERSHIP_KINDS = {
  ME1: 'General practitioner of a practice',
  ME2: 'Private controlled drug prescriber of an organisation',
  ME3: 'Hospital consultant of a trust',
  ME4: 'Dental consultant of a trust',
  ME5: 'Nurse prescriber of a practice',
} as const;

export type MembershipKind = keyof typeof MEMBERSHIP_KINDS;

/** That a practitioner works, or worked, for an organisation. */
export interface Membership {
  readonly kind: MembershipKind;
  /** The code of the organisation, which the directory need not have. */
  readonly organisation: string;
  /** `YYYY-MM-DD`; absent if the file does not know it. */
  readonly from?: string;
  /** The last day. */
  readonly to?: string;
}

export interface PractitionerType {
  readonly code: string;
  readonly name: string;
}

/** What a practitioner does: `PGP1`, of the type `PGP`. */
export interface PractitionerRole {
  readonly type: string;
  readonly code: string;
}

/** A code of someone who prescribes, with the name of that person. A person can have several codes. */
export interface Practitioner {
  /** `G1234567`, or the code or number that the file has. */
  readonly code: string;
  /** As the file has it: `SURNAME I`. */
  readonly name: string;
  /** As in the register of the General Medical Council, if `egmcmem` has the person. */
  readonly registeredName?: string;
  /** `PGP` */
  readonly type: string;
  /** Empty if the file does not say. A consultant has one for each main specialty. */
  readonly roles: readonly string[];
  readonly isActive: boolean;
  readonly numbers: readonly PractitionerNumber[];
  readonly memberships: readonly Membership[];
}

/** Something of the practitioner with the row. */
export interface OfPractitioner<Item> {
  readonly row: number;
  readonly item: Item;
}

/** The practitioners of one version that the operator has imported. */
export interface Practitioners {
  readonly version: string;
  readonly about: AboutPractitioners;
  readonly count: number;
  /** By row, in the order of the codes. */
  at(row: number): Practitioner;
  /** The same without the rest of the practitioner. */
  isActiveAt(row: number): boolean;
  /** The code in any case. */
  find(code: string): Practitioner | undefined;
  /** Those with this code or number: the codes of one person. In the order of their codes. */
  withNumber(number: string): readonly Practitioner[];
  /** The rows of those with this code or number, or with every word of the text in the name. Ascending. */
  search(text: string): readonly number[];
  /** The practitioners with a membership in the organisation on the day, or on any day. */
  ofOrganisation(code: string, day?: string): readonly Practitioner[];
  /** The roles that practitioners have, sorted. */
  readonly roles: readonly string[];
  /** The memberships by place from 0, in the order of the codes of practitioners. */
  membershipAt(place: number): OfPractitioner<Membership>;
  /** The numbers in the same order. */
  readonly numberCount: number;
  numberAt(place: number): OfPractitioner<PractitionerNumber>;
  /** Whether anyone ever had a membership in the organisation. */
  hasMembers(code: string): boolean;
  /** The file as it was imported, gzip. Undefined if it was not. */
  file(name: PractitionerFile): Uint8Array | undefined;
}

/** Whether the membership is in force on the day: unknown dates do not limit it. */
export function isMemberOn({ from, to }: Membership, day: string): boolean {
  return (from === undefined || from <= day) && (to === undefined || to >= day);
}

/** The membership in force on the day that began last, or the one that ended last. */
export function latestMembership(
  memberships: readonly Membership[],
  kind: MembershipKind,
  day: string,
): Membership | undefined {
  const begun = memberships.filter((each) => each.kind === kind && (each.from ?? '') <= day);
  const rank = ({ from = '', to = NEVER }: Membership) =>
    to >= day ? `${NEVER} ${from}` : `${to} ${from}`;
  return begun.toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1))[0];
}

const NEVER = '9999-12-31';

/** Codes in the files that stand for no person. */
export const PLACEHOLDER_CODES: ReadonlySet<string> = new Set([
  'G9999998',
  'C9999998',
  'CD999998',
  'D9999998',
  'H9999998',
  'N9999998',
  'M9999998',
]);
