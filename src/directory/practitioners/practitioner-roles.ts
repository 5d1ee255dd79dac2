/** The types and roles of practitioners, with the names that people read. */

/** Names of the national code system, as far as they are public. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  PGP: 'General practitioner',
  PHOSPCON: 'Hospital consultant',
  PDENTCON: 'Dental consultant',
  PNURSE: 'Nurse prescriber',
  PPCDP: 'Private controlled drug prescriber',
};

const ROLE_NAMES: Readonly<Record<string, string>> = {
  PGP1: 'Principal general practitioner',
  PGP2: 'Other general practitioner',
  PNURSEPN: 'Practice nurse',
  PNURSECN: 'Community nurse',
  PNURSE1: 'District nurse or health visitor',
  PNURSE2: 'Extended formulary nurse',
  PPCDP1: 'Doctor',
  PPCDP2: 'Nurse',
  PPCDP3: 'Pharmacist',
  PPCDP4: 'Optometrist',
  PPCDP5: 'Physiotherapist',
  PPCDP6: 'Radiographer',
  PPCDP7: 'Podiatrist',
};

/** The roles whose number does not come from a main specialty. */
export const FIXED_ROLES: readonly string[] = Object.keys(ROLE_NAMES);

export function practitionerTypeName(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

/** `Hospital consultant, main specialty 120` */
export function practitionerRoleName(role: string): string {
  const [, type = '', specialty] = /^(PHOSPCON|PDENTCON)(.*)$/.exec(role) ?? [];
  if (specialty === undefined) return ROLE_NAMES[role] ?? role;
  return specialty === ''
    ? practitionerTypeName(type)
    : `${practitionerTypeName(type)}, main specialty ${specialty}`;
}
