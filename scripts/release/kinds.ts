/** The kinds of organisation in a generated release: how frequent, which codes, roles and names. */

export type KindName =
  | 'practice'
  | 'costCentre'
  | 'branch'
  | 'trust'
  | 'trustSite'
  | 'pharmacy'
  | 'pharmacyHeadquarters'
  | 'dentist'
  | 'careSite'
  | 'independentSite'
  | 'company'
  | 'formerClinic'
  | 'school'
  | 'optician'
  | 'network'
  | 'scottishPractice'
  | 'commissioner'
  | 'other';

export interface OrganisationKind {
  readonly name: KindName;
  /** Out of 1,000 organisations; the shares add up to 1,000. */
  readonly share: number;
  /** One alphabet a position of the code; no two kinds can make the same code. */
  readonly code: readonly string[];
  readonly recordClass: 'RC1' | 'RC2';
  /** Primary roles, one of which is taken. */
  readonly primaryRoles: readonly string[];
  /** Further roles, each held with this chance in 10,000. */
  readonly otherRoles: readonly string[];
  readonly otherRoleChance: number;
  /** How many of 10,000 are inactive. */
  readonly inactiveChance: number;
  readonly names: readonly string[];
}

/** The code at `ordinal` of those that the alphabets make, or nothing when there are no more. */
export function codeAt(alphabets: readonly string[], ordinal: number): string | undefined {
  const characters: string[] = Array.from({ length: alphabets.length });
  let rest = ordinal;
  // The first position varies quickest and the second slowest, so that letters are mixed early.
  for (let step = 0; step < alphabets.length; step++) {
    const position = (alphabets.length - step) % alphabets.length;
    const alphabet = alphabets[position] ?? '';
    characters[position] = alphabet.charAt(rest % alphabet.length);
    rest = Math.floor(rest / alphabet.length);
  }
  return rest === 0 ? characters.join('') : undefined;
}

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digitsFirst = digits + letters;
const lettersFirst = letters + digits;
const anyDigits = (count: number): string[] => Array.from({ length: count }, () => digits);

export const organisationKinds: readonly OrganisationKind[] = [
  {
    name: 'practice',
    share: 52,
    code: ['ABCDEFGHJKLMNP', '8679012345', ...anyDigits(4)],
    recordClass: 'RC1',
    primaryRoles: ['177'],
    otherRoles: ['76'],
    otherRoleChance: 9300,
    inactiveChance: 3500,
    names: [
      '{word} {feature} SURGERY',
      '{word} {feature} MEDICAL CENTRE',
      '{word} PRACTICE',
      '{word}{feature} FAMILY PRACTICE',
      '{town} {feature} MEDICAL PRACTICE',
      'THE {word} SURGERY',
    ],
  },
  {
    name: 'costCentre',
    share: 118,
    code: ['Y', digitsFirst, digitsFirst, ...anyDigits(3)],
    recordClass: 'RC1',
    primaryRoles: ['177'],
    otherRoles: ['72', '80', '82', '87', '246', '247', '249', '250', '252', '255', '259', '266'],
    otherRoleChance: 800,
    inactiveChance: 4500,
    names: [
      '{town} COMMUNITY NURSING - {word}',
      '{word} {feature} WALK IN CENTRE',
      '{word} OUT OF HOURS SERVICE',
      '{town} {word} CLINIC',
      '{word}{feature} CARE HOME - SERVICE {number}',
    ],
  },
  {
    name: 'branch',
    share: 40,
    code: ['ABCDEFGHJKLMNP', '8679012345', ...anyDigits(4), '0', '0', '12'],
    recordClass: 'RC2',
    primaryRoles: ['96'],
    otherRoles: [],
    otherRoleChance: 0,
    inactiveChance: 4800,
    names: [
      '{word} {feature} BRANCH SURGERY',
      '{town} ROAD SURGERY',
      'THE SURGERY ({word} {feature})',
    ],
  },
  {
    name: 'trust',
    share: 2,
    code: ['R', letters, lettersFirst],
    recordClass: 'RC1',
    primaryRoles: ['197'],
    otherRoles: ['57', '24', '107', '269'],
    otherRoleChance: 1500,
    inactiveChance: 4000,
    names: ['{town} {word} HOSPITALS NHS TRUST', '{word} {feature} NHS FOUNDATION TRUST'],
  },
  {
    name: 'trustSite',
    share: 102,
    code: ['R', letters, lettersFirst, digitsFirst, digitsFirst],
    recordClass: 'RC2',
    primaryRoles: ['198'],
    otherRoles: ['279', '317', '320', '150'],
    otherRoleChance: 150,
    inactiveChance: 4600,
    names: [
      '{word} {feature} HOSPITAL',
      '{town} {word} UNIT',
      '{word} WARD {number}',
      "{word} {feature} CHILDREN'S CENTRE",
      '{word} & {word} DAY UNIT',
      'SITE AT {word} {feature}',
    ],
  },
  {
    name: 'pharmacy',
    share: 66,
    code: ['F', letters, digitsFirst, digitsFirst, digitsFirst],
    recordClass: 'RC1',
    primaryRoles: ['182'],
    otherRoles: ['80', '94', '268', '280'],
    otherRoleChance: 200,
    inactiveChance: 3000,
    names: [
      '{word} {feature} PHARMACY',
      '{word} CHEMIST',
      "{word}'S PHARMACY",
      '{town} CHEMISTS LTD',
    ],
  },
  {
    name: 'pharmacyHeadquarters',
    share: 1,
    code: ['P', lettersFirst, digitsFirst],
    recordClass: 'RC1',
    primaryRoles: ['181'],
    otherRoles: ['71'],
    otherRoleChance: 2000,
    inactiveChance: 2500,
    names: ['{word} {feature} PHARMACIES LTD', '{word} HEALTHCARE LIMITED'],
  },
  {
    name: 'dentist',
    share: 100,
    code: ['V', digitsFirst, ...anyDigits(4)],
    recordClass: 'RC1',
    primaryRoles: ['110', '110', '110', '65'],
    otherRoles: ['65', '172'],
    otherRoleChance: 300,
    inactiveChance: 5200,
    names: ['{word} {feature} DENTAL PRACTICE', '{word} DENTAL CARE', '{town} ORTHODONTICS'],
  },
  {
    name: 'careSite',
    share: 200,
    code: ['V', letters, digitsFirst, digitsFirst, digitsFirst],
    recordClass: 'RC2',
    primaryRoles: ['101', '101', '101', '104', '269', '270', '7'],
    otherRoles: ['15', '83', '101', '269', '270'],
    otherRoleChance: 250,
    inactiveChance: 3600,
    names: [
      '{word} {feature}',
      '{word}{feature} NURSING HOME',
      '{word} HOUSE RESIDENTIAL HOME',
      '{word} {feature} CARE LTD',
      'HOMECARE {word} ({town})',
      '{number} {word} {feature}',
    ],
  },
  {
    name: 'independentSite',
    share: 62,
    code: ['N', lettersFirst, digitsFirst, digitsFirst, digitsFirst],
    recordClass: 'RC2',
    primaryRoles: ['172', '176', '176'],
    otherRoles: ['29', '157', '30', '92', '159', '317'],
    otherRoleChance: 250,
    inactiveChance: 4000,
    names: [
      '{word} {feature} HEALTHCARE LIMITED',
      '{word} PRIVATE HOSPITAL',
      '{word} CLINIC {town}',
    ],
  },
  {
    name: 'company',
    share: 30,
    code: ['8', letters, lettersFirst, digitsFirst, digitsFirst],
    recordClass: 'RC1',
    primaryRoles: ['157', '157', '157', '158'],
    otherRoles: ['29', '15', '7', '69', '83', '117', '166'],
    otherRoleChance: 300,
    inactiveChance: 5000,
    names: [
      '{word} {feature} LIMITED',
      '{word} TRUST',
      '{word} & {word} (HOLDINGS) PLC',
      '{town} AID',
    ],
  },
  {
    name: 'formerClinic',
    share: 80,
    code: ['5', letters, lettersFirst, digitsFirst, digits],
    recordClass: 'RC2',
    primaryRoles: ['180'],
    otherRoles: [],
    otherRoleChance: 0,
    inactiveChance: 9900,
    names: ['{word} {feature} HEALTH CENTRE', '{town} CLINIC', '{word} COMMUNITY HOSPITAL'],
  },
  {
    name: 'school',
    share: 70,
    code: ['E', 'E', ...anyDigits(6)],
    recordClass: 'RC1',
    primaryRoles: ['221', '281', '282', '283', '284', '292', '297', '302', '303'],
    otherRoles: ['221'],
    otherRoleChance: 9000,
    inactiveChance: 1500,
    names: [
      '{word} {feature} PRIMARY SCHOOL',
      "ST EXAMPLE'S C OF E PRIMARY SCHOOL, {town}",
      '{word}{feature} ACADEMY',
      'YSGOL {word}',
      '{word} & {word} INFANT SCHOOL',
    ],
  },
  {
    name: 'optician',
    share: 32,
    code: ['T', letters, digitsFirst, digitsFirst, digitsFirst],
    recordClass: 'RC2',
    primaryRoles: ['166', '167', '167', '167'],
    otherRoles: ['316'],
    otherRoleChance: 500,
    inactiveChance: 3500,
    names: ['{word} OPTICIANS', '{word} {feature} EYE CARE', '{town} OPTICAL LTD'],
  },
  {
    name: 'network',
    share: 5,
    code: ['U', digitsFirst, ...anyDigits(4)],
    recordClass: 'RC1',
    primaryRoles: ['272'],
    otherRoles: [],
    otherRoleChance: 0,
    inactiveChance: 800,
    names: ['{word} {feature} PCN', '{town} {word} PRIMARY CARE NETWORK'],
  },
  {
    name: 'scottishPractice',
    share: 8,
    code: ['S', digitsFirst, ...anyDigits(4)],
    recordClass: 'RC1',
    primaryRoles: ['227', '315', '190'],
    otherRoles: [],
    otherRoleChance: 0,
    inactiveChance: 2000,
    names: ['{word} GLEN SURGERY', '{town} {word} HEALTH CENTRE'],
  },
  {
    name: 'commissioner',
    share: 1,
    code: ['01', digits, letters],
    recordClass: 'RC1',
    primaryRoles: ['98', '319'],
    otherRoles: ['67', '179', '318'],
    otherRoleChance: 1000,
    inactiveChance: 6000,
    names: ['NHS {word} {feature} CCG', 'NHS {town} AND {word} ICB'],
  },
  {
    name: 'other',
    share: 31,
    code: ['X', lettersFirst, digitsFirst, digitsFirst, digitsFirst, digits, 'A'],
    recordClass: 'RC1',
    primaryRoles: [
      '90',
      '99',
      '108',
      '116',
      '126',
      '131',
      '141',
      '142',
      '144',
      '161',
      '162',
      '168',
      '173',
      '175',
      '185',
      '189',
      '191',
      '209',
      '210',
      '212',
      '213',
      '222',
      '223',
      '233',
      '234',
      '235',
      '261',
      '262',
      '273',
      '293',
      '298',
      '317',
    ],
    otherRoles: ['141', '222'],
    otherRoleChance: 300,
    inactiveChance: 4200,
    names: [
      '{town} {word} COUNCIL',
      '{word} {feature} CUSTODY SUITE',
      '{town} CITY COUNCIL',
      'DEPARTMENT OF {word} {feature}',
      '{word} COMBINED AUTHORITY',
    ],
  },
];
